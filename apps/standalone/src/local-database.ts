import { join } from 'node:path';
import { databaseFault, migrate } from '@vestibule/database';
import { LocalServiceError, startPostgres } from '@vestibule/local-services';
import { OutdatedServerError } from '@vestibule/protocol';
import type { BuildContext } from '@vestibule/service/process';
import { StartError } from '@vestibule/service/settings';
import { embeddedDatabase } from './embedded-database.js';
import { startOwned } from './start-owned.js';

/** Options of {@link openLocalDatabase}. */
export interface LocalDatabaseOptions {
  /** The data folder. */
  readonly folder: string;
  /** The configured database, a secret. Default: an embedded one. */
  readonly url: string | undefined;
  /** Called with the embedded database before it is started. */
  readonly own: BuildContext<never>['own'];
}

/**
 * Opens a database with the schema of this version: the configured one, or an embedded PostgreSQL whose data are in the
 * folder and outlive the process.
 *
 * @returns its address, a secret
 * @throws StartError if it is unavailable
 */
export async function openLocalDatabase({ folder, url, own }: LocalDatabaseOptions): Promise<string> {
  const address = url ?? (await embedded(folder, own));
  try {
    await migrate(address);
    return address;
  } catch (error) {
    throw new StartError(databaseProblem(error), { cause: error });
  }
}

async function embedded(folder: string, own: LocalDatabaseOptions['own']): Promise<string> {
  try {
    const start = () => startPostgres({ dataFolder: join(folder, 'postgres') });
    const server = await startOwned(own, 'embedded-postgres', start);
    return await embeddedDatabase(server);
  } catch (error) {
    if (error instanceof LocalServiceError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

/** Why a database could not be migrated, as a sentence for the operator. */
function databaseProblem(error: unknown): string {
  if (error instanceof OutdatedServerError) return `${error.message}.`;
  const fault = databaseFault(error);
  if (fault === 'refused')
    return 'The database refuses the login: check user, password and database name in DATABASE_URL.';
  if (fault === 'unreachable') return 'The database cannot be reached: check the address in DATABASE_URL.';
  return 'The database responds, but its schema could not be migrated: see the log of PostgreSQL.';
}
