import type { ExpiredSessions } from '@vestibule/logout';
import { SESSION_RECORD_STATEMENTS } from '../provider/session-records.js';
import type { RunStatement } from '../statement.js';

/** Sessions in Postgres that end by themselves. */
export function expiredSessions(run: RunStatement): ExpiredSessions {
  return {
    endExpired: async (now, limit) =>
      (await run(SESSION_RECORD_STATEMENTS.endExpired, [now, limit])).rowCount,
  };
}
