import pg from 'pg';
import { errorCode } from './local-service-error.js';

/** A database to create. */
export interface DatabaseCreation {
  /** A connection address of a role that may create databases. */
  readonly url: string;
  readonly name: string;
  /** The database to copy; nobody may be connected to it. Default: PostgreSQL's empty one. */
  readonly template?: string;
  /** Copying files is the faster way where nothing has to reach the disk. Default `wal_log`. */
  readonly strategy?: 'wal_log' | 'file_copy';
}

/** The name is taken, or someone took it at the same moment. */
const DUPLICATE_DATABASE = ['42P04', '23505'];
const CONNECT_TIMEOUT_MS = 10_000;

/** Creates a database; one of that name is left as it is. */
export async function createDatabase(creation: DatabaseCreation): Promise<void> {
  const { url, name, template = 'template1', strategy = 'wal_log' } = creation;
  const [created, copied] = [name, template].map((each) => pg.escapeIdentifier(each));
  try {
    await administer(url, `CREATE DATABASE ${created} TEMPLATE ${copied} STRATEGY ${strategy}`);
  } catch (error) {
    if (!DUPLICATE_DATABASE.includes(errorCode(error) ?? '')) throw error;
  }
}

/** Drops a database and ends its connections. Nothing happens when there is none. */
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
