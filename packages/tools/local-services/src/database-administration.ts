import pg from 'pg';
import { errorCode } from './local-service-error.js';

/** A database to create. */
export interface DatabaseCreation {
  /** A connection address of a role that may create databases. */
  readonly url: string;
  readonly name: string;
  /** The database to copy; it must have no connections. Default: PostgreSQL's empty one. */
  readonly template?: string;
  /** Copying files is faster where nothing has to reach the disk. Default `wal_log`. */
  readonly strategy?: 'wal_log' | 'file_copy';
}

/** The name exists, or was created at the same moment. */
const DUPLICATE_DATABASE = ['42P04', '23505'];
const CONNECT_TIMEOUT_MS = 10_000;

/** Creates a database; an existing one of that name is unchanged. */
export async function createDatabase(creation: DatabaseCreation): Promise<void> {
  const { url, name, template = 'template1', strategy = 'wal_log' } = creation;
  const [created, copied] = [name, template].map((each) => pg.escapeIdentifier(each));
  try {
    await administer(url, `CREATE DATABASE ${created} TEMPLATE ${copied} STRATEGY ${strategy}`);
  } catch (error) {
    if (!DUPLICATE_DATABASE.includes(errorCode(error) ?? '')) throw error;
  }
}

/** Drops a database and closes its connections. Does nothing when it does not exist. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await administer(url, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'vestibule-local-services',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}
