import pg from 'pg';
import { onTestFinished } from 'vitest';

/** Runs a statement as somebody else than the product would. */
export type Sql = (statement: string, values?: unknown[]) => Promise<readonly Record<string, unknown>[]>;

/** A connection beside those of the product. */
export async function foreignSql(url: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: url, application_name: 'foreign' });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return async (statement, values = []) => (await client.query(statement, values)).rows;
}

/** Cuts every connection of the product to the database. */
export const TERMINATE_ALL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name <> 'foreign'`;

/** Cuts the connections that listen. */
export const TERMINATE_FEEDS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE '% feed'`;
