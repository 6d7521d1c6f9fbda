import pg from 'pg';
import type { PostgresCluster } from './postgres-cluster.js';
import {
  isSameRun,
  type PostmasterFile,
  parsePostmasterFile,
  readPostmasterFile,
} from './postmaster-file.js';

/** A registration as a user of a running server; while it is held, no other process stops the server. */
export interface HeldServer {
  readonly run: PostmasterFile;
  readonly port: number;
  readonly client: pg.Client;
}

/** The advisory lock of the users of a server, in its database `postgres`. */
const USERS_LOCK = '8315161801436426103';
/** Short, because another program on the port may never respond; a busy server is tried again. */
const JOIN_TIMEOUT_MS = 1_000;

function superuserClient(cluster: PostgresCluster, port: number): pg.Client {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: JOIN_TIMEOUT_MS,
    application_name: 'vestibule-local-services',
  });
  // A lost server is noticed by the next statement; without a listener the error would end the process.
  client.on('error', () => undefined);
  return client;
}

/**
 * Registers as a user of the running server of a cluster. `undefined` when no server responds that is provably this
 * cluster's, or when it is being stopped.
 */
export async function joinRunningServer(cluster: PostgresCluster): Promise<HeldServer | undefined> {
  const run = await readPostmasterFile(cluster.directory);
  if (run?.port === undefined) return undefined;
  const client = superuserClient(cluster, run.port);
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string; joined: boolean }>(
      `SELECT pg_read_file('postmaster.pid') AS file, pg_try_advisory_lock_shared($1) AS joined`,
      [USERS_LOCK],
    );
    const [response] = rows;
    if (response?.joined === true && isSameRun(run, parsePostmasterFile(response.file))) {
      return { run, port: run.port, client };
    }
  } catch {
    // Not running, starting, stopping, or another server on that port: the caller tries again or starts one.
  }
  await client.end().catch(() => undefined);
  return undefined;
}

/**
 * Unregisters from a server. True when no user is left: then none can register before the server has stopped. False
 * also when the server has exited.
 */
export async function leaveServer(held: HeldServer): Promise<boolean> {
  try {
    const { rows } = await held.client.query<{ alone: boolean }>(
      'SELECT pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) AS alone',
      [USERS_LOCK],
    );
    return rows[0]?.alone === true;
  } catch {
    return false;
  }
}
