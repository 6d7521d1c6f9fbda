import { join } from 'node:path';
import { migrate } from '@vestibule/database';
import { LocalServiceError, startPostgres } from '@vestibule/local-services';
import { type Dependency, StartError } from '@vestibule/service-kit';

/** The database of a local installation. */
export interface LocalDatabase {
  /** A secret. */
  readonly url: string;
  /** What has to be stopped with the process. */
  readonly dependencies: readonly Dependency[];
}

const DATABASE_NAME = 'vestibule';

/**
 * Gives the process a database with the schema of this version: the configured one, or an embedded PostgreSQL whose
 * data lie in the folder and outlive the process.
 *
 * @throws StartError when it cannot be had.
 */
export async function openLocalDatabase(
  folder: string,
  configuredUrl: string | undefined,
): Promise<LocalDatabase> {
  const database =
    configuredUrl === undefined ? await embedded(folder) : { url: configuredUrl, dependencies: [] };
  try {
    await migrate(database.url);
    return database;
  } catch (error) {
    for (const { close } of database.dependencies) await close();
    throw new StartError('The database does not answer or cannot be brought up to date.', { cause: error });
  }
}

async function embedded(folder: string): Promise<LocalDatabase> {
  try {
    const server = await startPostgres({ dataFolder: join(folder, 'postgres') });
    await server.createDatabase(DATABASE_NAME);
    return {
      url: server.url(DATABASE_NAME),
      dependencies: [{ name: 'embedded-postgres', close: server.stop }],
    };
  } catch (error) {
    if (error instanceof LocalServiceError) throw new StartError(error.message, { cause: error });
    throw error;
  }
}
