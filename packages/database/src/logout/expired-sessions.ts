import type { ExpiredSessions } from '@vestibule/logout/delivery';
import { SESSION_RECORD_STATEMENTS } from '../provider/session-records.js';
import type { RunStatement } from '../statement.js';

/** Creates the reader of expired sessions in Postgres. */
export function expiredSessions(run: RunStatement): ExpiredSessions {
  return {
    endExpired: async (now, limit) =>
      (await run(SESSION_RECORD_STATEMENTS.endExpired, [now, limit])).rowCount,
  };
}
