import type { ExpiredSessions } from '@vestibule/logout/delivery';
import { SESSION_RECORD_STATEMENTS } from '../provider/session-records.js';
import { SESSIONS_AT_ONCE } from '../revocation-cutoff.js';
import type { RunStatement } from '../statement.js';

/** Creates the reader of expired sessions in Postgres. */
export function expiredSessions(run: RunStatement): ExpiredSessions {
  return {
    endExpired: async (now) =>
      (await run(SESSION_RECORD_STATEMENTS.endExpired, [now, SESSIONS_AT_ONCE])).rowCount,
  };
}
