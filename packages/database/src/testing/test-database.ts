import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase } from '@vestibule/local-services';
import { lendDatabase, runSql } from '@vestibule/local-services/testing';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** Creates a database without tables, which is dropped after the test. Returns its connection string. */
export async function anEmptyDatabase(): Promise<string> {
  const { postgresUrl } = inject('services');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await createDatabase({ url: postgresUrl, name, strategy: 'file_copy' });
  onTestFinished(() => dropDatabase(postgresUrl, name));
  return Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href;
}

/** Obtains a migrated database without rows, which is returned after the test. Returns its connection string. */
export async function aMigratedDatabase(): Promise<string> {
  const { postgresUrl, templateDatabase } = inject('services');
  const { url, giveBack } = await lendDatabase({
    server: postgresUrl,
    name: templateDatabase,
    filled: ['_prisma_migrations'],
  });
  onTestFinished(giveBack);
  return url;
}

/** Runs a statement outside the store, and returns the rows. It must leave no state in its session. */
export function query<Row>(url: string, statement: string, values: unknown[] = []): Promise<Row[]> {
  return runSql<Row & pg.QueryResultRow>(url, statement, values);
}

/** Runs statements in a session of their own, which may thus have temporary tables, and returns the rows. */
export async function queryInOwnSession<Row>(url: string, statements: string): Promise<Row[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statements)).rows;
  } finally {
    await client.end();
  }
}

/** Counts the rows of a table. */
export async function countRows(url: string, table: string): Promise<number> {
  const [row] = await query<{ count: number }>(url, `SELECT count(*)::int AS count FROM "${table}"`);
  return row?.count ?? Number.NaN;
}

/** Runs an operation while another connection locks the rows of a selection. */
export function holdingRows<Result>(
  url: string,
  selection: string,
  operate: () => Promise<Result>,
): Promise<Result> {
  return holdingLock(url, `${selection} FOR UPDATE`, operate);
}

/** Runs an operation while another connection holds the locks of a statement. */
export async function holdingLock<Result>(
  url: string,
  statement: string,
  operate: () => Promise<Result>,
): Promise<Result> {
  const holder = new pg.Client(url);
  await holder.connect();
  try {
    await holder.query(`BEGIN; ${statement}`);
    return await operate();
  } finally {
    await holder.end();
  }
}

/**
 * Starts an operation while another connection changes rows, and commits once the operation waits. Returns its promise.
 */
export async function whileChanging<Result>(
  url: string,
  change: string,
  operate: () => Promise<Result>,
): Promise<{ readonly result: Promise<Result> }> {
  const holder = new pg.Client(url);
  await holder.connect();
  try {
    await holder.query(`BEGIN; ${change}`);
    const result = operate();
    await untilWaiting(url);
    await holder.query('COMMIT');
    return { result };
  } finally {
    await holder.end();
  }
}

/** Resolves with the process of the first statement that waits for a lock. */
export async function untilWaiting(url: string): Promise<number> {
  for (;;) {
    const [waiting] = await query<{ pid: number }>(
      url,
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`,
    );
    if (waiting !== undefined) return waiting.pid;
  }
}
