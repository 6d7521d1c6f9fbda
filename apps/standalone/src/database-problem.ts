import { databaseFault } from '@vestibule/database';
import { OutdatedServerError } from '@vestibule/protocol';

/** Why a database could not be migrated, as a sentence for the operator. */
export function databaseProblem(error: unknown): string {
  if (error instanceof OutdatedServerError) return `${error.message}.`;
  const fault = databaseFault(error);
  if (fault === 'refused')
    return 'The database refuses the login: check user, password and database name in DATABASE_URL.';
  if (fault === 'unreachable') return 'The database cannot be reached: check the address in DATABASE_URL.';
  return 'The database responds, but its schema could not be migrated: see the log of PostgreSQL.';
}
