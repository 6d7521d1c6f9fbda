import { type Database, openDatabase } from '@vestibule/database';
import { type Environment, loadSettings, type Secret, STORE_SETTINGS } from '@vestibule/service-kit/settings';
import { joinInstallation } from '@vestibule/standalone/installation';
import Type from 'typebox';
import type { Cli } from '../frame/cli.js';

/** What a command works on. */
export interface OpenInstallation {
  readonly database: Database;
  /** The address of the database: a secret. */
  readonly url: string;
  /** The environment that services over this database have, for their own settings. */
  readonly environment: Environment;
}

const DatabaseSettings = Type.Object({ DATABASE_URL: STORE_SETTINGS.DATABASE_URL });

/** A person waits: longer than a service may, and not for ever. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/** How PostgreSQL lists the connections of a command. */
export const APPLICATION_NAME = 'vestibule cli';

/**
 * Opens the database for one operation and closes it afterwards. Needs no keys.
 * @throws what the operation throws, and what describes a database that does not answer
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

/** The environment of the installation for one operation, during which its database is there. */
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

/** How commands connect. */
export function connectionOptions(url: Secret) {
  return {
    url: url.reveal(),
    poolSize: 4,
    applicationName: APPLICATION_NAME,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  };
}
