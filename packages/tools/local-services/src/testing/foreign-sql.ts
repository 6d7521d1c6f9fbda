import pg from 'pg';
import { onTestFinished } from 'vitest';

/** Runs a statement as an outside program would. */
export type Sql = (
  statement: string,
  values?: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>;

/** A separate connection for the duration of a test. */
export async function foreignSql(url: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: url, application_name: 'foreign' });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return async (statement, values = []) => (await client.query(statement, [...values])).rows;
}
