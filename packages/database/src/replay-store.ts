import type { ReplayStore } from '@vestibule/client-auth';
import type { RunStatement, Statement } from './statement.js';

/**
 * The statement of the store. Not repeatable: what was recorded by a try that got no response would count as a replay.
 */
export const RECORD_USE: Statement = {
  name: 'replayed-assertion-record',
  text: `INSERT INTO replayed_assertion (digest, expires_at) VALUES ($1, to_timestamp($2))
    ON CONFLICT (digest) DO NOTHING`,
  repeatable: false,
};

/**
 * Single use by Postgres (RFC 7523 section 3): the store that a lost Redis does not make forget. A record is kept until
 * the clean-up after its time, and refuses for as long as it is there.
 */
export function replayStore(run: RunStatement): ReplayStore {
  return {
    recordUse: async (digest, keepUntil) => {
      try {
        const { rowCount } = await run(RECORD_USE, [digest, keepUntil]);
        return rowCount === 1 ? 'fresh' : 'replayed';
      } catch {
        // Whether it was recorded or not, nobody can say that the use is the first.
        return 'unavailable';
      }
    },
  };
}
