import type { ReplayStore } from '@vestibule/client-auth/assertions';
import type { RunStatement, Statement } from './statement.js';

/**
 * The statement of the store. By hand, because clients authenticate with it. Not repeatable, because the record of an
 * attempt without a response would look like a replay.
 */
export const RECORD_USE: Statement = {
  name: 'replayed-assertion-record',
  text: `INSERT INTO replayed_assertion (digest, expires_at) VALUES ($1, to_timestamp($2))
    ON CONFLICT (digest) DO NOTHING`,
  repeatable: false,
};

/**
 * Creates the replay store in Postgres (RFC 7523 section 3), which is independent of Redis. A record is kept until the
 * clean-up after its expiry, and refuses replays for as long as it exists.
 */
export function replayStore(run: RunStatement): ReplayStore {
  return {
    recordUse: async (digest, keepUntil) => {
      try {
        const { rowCount } = await run(RECORD_USE, [digest, keepUntil]);
        return rowCount === 1 ? 'fresh' : 'replayed';
      } catch {
        // It is unknown whether the use was recorded, so it cannot be reported as the first.
        return 'unavailable';
      }
    },
  };
}
