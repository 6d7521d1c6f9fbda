import { databaseFault } from '@vestibule/database';
import { OutdatedServerError } from '@vestibule/protocol';

/** Why a database could not be brought up to date, as one sentence for the person who started the process. */
export function databaseProblem(error: unknown): string {
  if (error instanceof OutdatedServerError) return `${error.message}.`;
  const fault = databaseFault(error);
  if (fault === 'refused')
    return 'The database refuses the login: check user, password and database name in DATABASE_URL.';
  if (fault === 'unreachable') return 'The database cannot be reached: check the address in DATABASE_URL.';
  return 'The database answers, but could not be brought up to date: PostgreSQL says why in its log.';
}
