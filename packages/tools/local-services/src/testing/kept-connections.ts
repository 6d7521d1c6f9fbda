import pg from 'pg';

/** Connections of this process to the databases of tests, by URL. */
const pools = new Map<string, pg.Pool>();

/** The name of these connections at the server. */
export const KEPT_CONNECTION = 'vestibule-tests';

/**
 * Runs a statement on a connection that later statements use again, since the server takes longer to start one than to run most
 * statements. A statement must leave no state in the session. Parallel statements have connections of their own.
 */
export async function runSql<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(url).query<Row>(statement, [...values])).rows;
}

/** Closes the connections of a database that is not used any more. */
export async function endKeptConnections(url: string): Promise<void> {
  const pool = pools.get(url);
  pools.delete(url);
  await pool?.end();
}

function poolOf(url: string): pg.Pool {
  const known = pools.get(url);
  if (known !== undefined) return known;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: KEPT_CONNECTION,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A connection that the server or a test ended is made anew for the next statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pools.set(url, pool);
  return pool;
}
