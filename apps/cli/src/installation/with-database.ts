import { type Database, openDatabase } from '@vestibule/database';
import { type Environment, loadSettings, type Secret } from '@vestibule/service/settings';
import { STORE_SETTINGS } from '@vestibule/service/shared-settings';
import { joinInstallation } from '@vestibule/standalone/installation';
import Type from 'typebox';
import type { Cli } from '../frame/cli.js';

/** Context of a command with a database. */
export interface OpenInstallation {
  readonly database: Database;
  /** URL of the database; a secret. */
  readonly url: string;
  /** Environment of the services on this database, for their settings. */
  readonly environment: Environment;
}

const DatabaseSettings = Type.Object({ DATABASE_URL: STORE_SETTINGS.DATABASE_URL });

/** Statement timeout for interactive use; longer than in services. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/** Application name of the connections in PostgreSQL. */
export const APPLICATION_NAME = 'vestibule cli';

/**
 * Opens the database for one operation and closes it afterwards. Needs no keys.
 * @throws errors of the operation, and errors that describe an unreachable database
 */
export async function withDatabase<Result>(
  cli: Pick<Cli, 'environment'>,
  operate: (installation: OpenInstallation) => Promise<Result>,
): Promise<Result> {
  return withEnvironment(cli, async (environment) => {
    const { DATABASE_URL } = loadSettings(DatabaseSettings, environment);
    const url = DATABASE_URL.reveal();
    const database = openDatabase(connectionOptions(DATABASE_URL));
    try {
      await database.ping();
      return await operate({ database, url, environment });
    } finally {
      await database.close();
    }
  });
}

/** Provides the environment of the installation for one operation, while its database is running. */
export async function withEnvironment<Result>(
  { environment }: Pick<Cli, 'environment'>,
  operate: (environment: Environment) => Promise<Result>,
): Promise<Result> {
  const installation = await joinInstallation(environment);
  try {
    return await operate(installation.environment);
  } finally {
    await installation.leave();
  }
}

/** Returns the connection options of commands. */
export function connectionOptions(url: Secret) {
  return {
    url: url.reveal(),
    poolSize: 4,
    applicationName: APPLICATION_NAME,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
}
