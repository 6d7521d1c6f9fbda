import { appendFile, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, closing } from '@vestibule/local-services';
import pg from 'pg';
import { type ChaosProxy, type ConnectionChoice, chaosProxy } from '../network/chaos-proxy.js';
import { until } from '../until.js';
import { backUp } from './backup.js';
import { type PostgresUnderFault, startPostgresUnderFault } from './postgres.js';

/** How commits of the primary wait for its standbys. */
export type Replication = 'synchronous' | 'asynchronous';

/** When standbys were cut off, on the monotonic clock. */
export interface Held {
  /** They have received everything acknowledged before. */
  readonly receivedUntilMs: number;
  /** They have received nothing that started after. */
  readonly heldAtMs: number;
}

/** A primary with two standbys behind an address that moves to the promoted one. */
export interface ReplicatedPostgres {
  /** The primary; its port and addresses lead to the promoted standby later. */
  readonly postgres: PostgresUnderFault;
  /** Holds what the primary sends to its standbys from now on. */
  holdReplication(): Promise<Held>;
  /** Ends the primary for good, without a shutdown. Held data is lost. */
  killPrimary(): Promise<void>;
  /** Promotes the standby that has received most and moves the address to it. The other one follows it. */
  promote(): Promise<void>;
}

const STANDBYS = ['standby_1', 'standby_2'] as const;

const REPLICATED: Readonly<Record<Replication, string>> = {
  synchronous: `ANY 1 (${STANDBYS.join(', ')})`,
  asynchronous: '',
};

/** The first bytes of a standby's connection to its primary. */
const isReplication: ConnectionChoice = (opening) => opening.includes('\0replication\0');

/** Starts them in new folders, which are removed at the end. */
export async function startReplicatedPostgres(
  replication: Replication,
  toEnd: Closers,
): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-failover-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const primary = await startPostgresUnderFault(folder);
  toEnd.add(primary.stop);
  const address = await chaosProxy(primary.port);
  toEnd.add(address.close);
  // Set before the files are copied, so that every possible primary has it; it takes effect once both follow.
  await query(primary, `ALTER SYSTEM SET synchronous_standby_names = '${REPLICATED[replication]}'`);
  await query(primary, `ALTER SYSTEM SET wal_keep_size = '1GB'`);
  await query(primary, `ALTER SYSTEM SET wal_retrieve_retry_interval = '500ms'`);
  const standbys: PostgresUnderFault[] = [];
  for (const name of STANDBYS) standbys.push(await startStandby(primary, address, name, toEnd));
  await until(async () => (await followers(primary)) === STANDBYS.length);
  await query(primary, 'SELECT pg_reload_conf()');
  const addressOf = (database: string) =>
    Object.assign(new URL(primary.url(database)), { port: String(address.port) }).href;
  return {
    postgres: { ...primary, port: address.port, url: addressOf },
    holdReplication: async () => {
      const receivedUntilMs = performance.now();
      const position = await positionOf(primary, 'pg_current_wal_flush_lsn()');
      for (const standby of standbys) await until(async () => (await received(standby)) >= position);
      address.set({ kind: 'hold', from: 'server' }, isReplication);
      return { receivedUntilMs, heldAtMs: performance.now() };
    },
    killPrimary: async () => {
      await primary.kill();
      address.reset();
    },
    promote: async () => {
      const positions = await Promise.all(standbys.map(received));
      const [first] = standbys.toSorted(
        (a, b) => Number(positions[standbys.indexOf(b)]) - Number(positions[standbys.indexOf(a)]),
      );
      if (first === undefined) throw new TypeError('there is no standby');
      await query(first, 'SELECT pg_promote(true)');
      address.switchTo(first.port);
      address.pass();
    },
  };
}

async function startStandby(
  primary: PostgresUnderFault,
  address: ChaosProxy,
  name: string,
  toEnd: Closers,
): Promise<PostgresUnderFault> {
  const pool = new pg.Pool({ connectionString: primary.url('postgres'), max: 1 });
  const folder = await backUp(primary, pool, toEnd).finally(() => pool.end());
  const directory = join(folder, 'cluster', 'data');
  const { username, password } = new URL(primary.url('postgres'));
  const upstream = `host=127.0.0.1 port=${address.port} user=${username} password=${password} application_name=${name}`;
  await appendFile(join(directory, 'postgresql.auto.conf'), `primary_conninfo = '${upstream}'\n`);
  const signal = join(directory, 'standby.signal');
  await writeFile(signal, '', { mode: 0o600 });
  const { uid, gid } = await stat(directory);
  await chown(signal, uid, gid);
  const standby = await startPostgresUnderFault(folder);
  toEnd.add(standby.stop);
  return standby;
}

async function followers(primary: PostgresUnderFault): Promise<number> {
  const [row] = await query<{ count: number }>(
    primary,
    `SELECT count(*)::int AS count FROM pg_stat_replication WHERE state = 'streaming'`,
  );
  return row?.count ?? 0;
}

function received(standby: PostgresUnderFault): Promise<bigint> {
  return positionOf(standby, 'pg_last_wal_receive_lsn()');
}

/** A log position, in bytes. */
async function positionOf(server: PostgresUnderFault, position: string): Promise<bigint> {
  const [row] = await query<{ bytes: string }>(server, `SELECT (${position} - '0/0')::text AS bytes`);
  return BigInt(row?.bytes ?? 0);
}

function query<Row extends object>(server: PostgresUnderFault, statement: string): Promise<readonly Row[]> {
  return closing(async (toEnd) => {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    client.on('error', () => undefined);
    await client.connect();
    toEnd.add(() => client.end());
    return (await client.query<Row>(statement)).rows;
  });
}
