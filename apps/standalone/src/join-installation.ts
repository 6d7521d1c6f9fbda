import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startPostgres } from '@vestibule/local-services';
import { type Environment, StartError } from '@vestibule/service/settings';
import { embeddedDatabase } from './embedded-database.js';
import { recordedAddress } from './local-address.js';
import { DEFAULT_DATA_DIR, hasDatabase, serviceEnvironment, withLocalDefaults } from './local-environment.js';
import { existingLocalSecrets } from './local-secrets.js';

/** An installation as seen by another process, whether the services run or not. */
export interface JoinedInstallation {
  /** The environment of its services; contains the address of its database, which is a secret. */
  readonly environment: Environment;
  /** Leaves its database, which stops when no process uses it. */
  leave(): Promise<void>;
}

/**
 * The environment of the services of the installation in a data folder (`DATA_DIR`): the given variables, with the base
 * address at which its services last started, the secrets created there, and a placeholder for the address of its
 * database. An environment that configures a database and keys of its own stays unchanged. Creates no installation and
 * no secret: a missing secret is reported when it is needed.
 *
 * @throws StartError if there is none
 */
export function installationEnvironment(given: Environment): Environment {
  const wanted = withLocalDefaults(given);
  const folder = folderOf(wanted);
  const isOwn = hasDatabase(wanted);
  const hasKeys = wanted.ENCRYPTION_KEYS !== undefined || wanted.ENCRYPTION_KEYS_FILE !== undefined;
  if (isOwn && (hasKeys || !existsSync(join(folder, 'encryption-keys')))) return given;
  if (!isOwn && !existsSync(join(folder, 'postgres')))
    throw new StartError(
      `There is no database: DATABASE_URL is not set, and ${folder} contains no installation (DATA_DIR).`,
    );
  return serviceEnvironment({
    ...wanted,
    ...recordedAddress(folder, wanted),
    ...existingLocalSecrets(folder, wanted),
  });
}

/**
 * Joins that installation, for a command line tool: starts its embedded database if it does not run.
 * @throws StartError if there is none
 */
export async function joinInstallation(given: Environment): Promise<JoinedInstallation> {
  const environment = installationEnvironment(given);
  const wanted = withLocalDefaults(given);
  if (hasDatabase(wanted)) return { environment, leave: async () => undefined };
  const server = await startPostgres({ dataFolder: join(folderOf(wanted), 'postgres') });
  const url = await embeddedDatabase(server);
  return { environment: { ...environment, DATABASE_URL: url }, leave: server.stop };
}

function folderOf({ DATA_DIR = DEFAULT_DATA_DIR }: Environment): string {
  return resolve(DATA_DIR);
}
