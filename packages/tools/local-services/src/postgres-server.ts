import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, dropDatabase } from './database-administration.js';
import { freePort } from './free-port.js';
import { LocalServiceError } from './local-service-error.js';
import { isPortFree } from './port-blocks.js';
import { choosePostgresAccount, type PostgresAccount } from './postgres-account.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { clusterFolder, openCluster, type PostgresCluster, prepareDataFolder } from './postgres-cluster.js';
import { type HeldServer, joinRunningServer, leaveServer } from './postgres-connection.js';
import { launchPostgres, type PostgresProcess } from './postgres-process.js';
import {
  isPostmasterAlive,
  isSameRun,
  type PostmasterFile,
  readPostmasterFile,
  removeStalePostmasterFile,
} from './postmaster-file.js';

/** How to start a server. */
export interface PostgresOptions {
  /**
   * The folder of everything: the database, the superuser's password (mode 0600), the log. Created when missing. For
   * root without user namespaces it stands for a folder of an unprivileged account below `/var/lib/vestibule`.
   */
  readonly dataFolder: string;
  /** The loopback port, default a free one. A running server keeps its own. */
  readonly port?: number;
  /**
   * Default true. False makes writes fast and non-durable, for tests; such a server ends with the process that started
   * it where the system supports that.
   */
  readonly durable?: boolean;
  /** Called with a sentence before each slow step. */
  readonly log?: (sentence: string) => void;
}

/** A running PostgreSQL, listening on 127.0.0.1 only. */
export interface PostgresServer {
  readonly port: number;
  /** The data directory: everything that is stored, in PostgreSQL's own files. */
  readonly directory: string;
  /** The connection URL of a database, with the superuser's password: a secret. */
  url(database: string): string;
  /** Creates a database, as a copy of the template if given. An existing one of that name is unchanged. */
  createDatabase(name: string, template?: string): Promise<void>;
  /** Drops a database and closes its connections. Does nothing when it does not exist. */
  dropDatabase(name: string): Promise<void>;
  /** Unregisters from the server; the last of all processes that use it stops it. May be called repeatedly. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 20;
const REJOIN_MS = 500;

/**
 * Starts PostgreSQL in a data folder, or joins a running server: of a killed process, or of another process that uses
 * it in parallel. Works for root too.
 * @throws LocalServiceError when it cannot run, with the reason
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const wanted = resolve(options.dataFolder);
  const durable = options.durable ?? true;
  await prepareDataFolder(wanted);
  const account = await choosePostgresAccount(await findPostgresBinaries(), wanted, clusterFolder);
  const dataFolder = account.folder;
  const cluster = await openCluster(dataFolder, account, durable);
  const starting: Starting = { ...options, dataFolder, durable, account, cluster };
  return serve(cluster, await joinOrStart(starting), durable);
}

interface Starting extends PostgresOptions {
  readonly durable: boolean;
  readonly account: PostgresAccount;
  readonly cluster: PostgresCluster;
}

async function joinOrStart(starting: Starting): Promise<HeldServer> {
  const { directory } = starting.cluster;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const held = await joinRunningServer(starting.cluster);
    if (held !== undefined) return held;
    const run = await readPostmasterFile(directory);
    if (run !== undefined && (await isPostmasterAlive(directory, run))) {
      // Another process is starting or stopping it.
      await pause(POLL_MS);
      continue;
    }
    if (run !== undefined) await removeStalePostmasterFile(directory, run);
    const started = await startOnce(starting, deadline);
    if (started !== undefined) return started;
  }
  throw new LocalServiceError(
    `PostgreSQL over ${starting.dataFolder} did not become ready within ${START_TIMEOUT_MS / 1000} seconds: see postgres.log there.`,
  );
}

/** One attempt. `undefined` when another process was faster and a further attempt makes sense. */
async function startOnce(starting: Starting, deadline: number): Promise<HeldServer | undefined> {
  const { account, cluster, dataFolder, durable, log } = starting;
  const port = starting.port ?? (await freePort());
  log?.(`Starting PostgreSQL on port ${port} over ${dataFolder}.`);
  const child = await launchPostgres({ account, dataFolder, directory: cluster.directory, port, durable });
  const held = await joinWhileRunning(cluster, child, deadline);
  if (held !== undefined || child.isRunning()) return held;
  const complaint = await child.complaint();
  const rival = await readPostmasterFile(cluster.directory);
  if (rival !== undefined && (await isPostmasterAlive(cluster.directory, rival))) return undefined;
  if (!(await isPortFree(port))) {
    if (starting.port === undefined) return undefined;
    throw new LocalServiceError(`Port ${port} on 127.0.0.1 is in use, so PostgreSQL cannot listen on it.`);
  }
  throw new LocalServiceError(
    `PostgreSQL over ${dataFolder} did not start: ${complaint ?? 'see postgres.log there'}.`,
  );
}

async function joinWhileRunning(
  cluster: PostgresCluster,
  child: PostgresProcess,
  deadline: number,
): Promise<HeldServer | undefined> {
  while (child.isRunning() && Date.now() < deadline) {
    const held = await joinRunningServer(cluster);
    if (held !== undefined) return held;
    await pause(POLL_MS);
  }
  return undefined;
}

function serve(cluster: PostgresCluster, first: HeldServer, durable: boolean): PostgresServer {
  const place = keepPlace(cluster, first);
  const url = (database: string) =>
    `postgresql://postgres:${cluster.password}@127.0.0.1:${first.port}/${encodeURIComponent(database)}`;
  return {
    port: first.port,
    directory: cluster.directory,
    url,
    createDatabase: (name, template = 'template1') =>
      createDatabase({ url: url('postgres'), name, template, strategy: durable ? 'wal_log' : 'file_copy' }),
    dropDatabase: (name) => dropDatabase(url('postgres'), name),
    stop: place.leave,
  };
}

/** Keeps this process registered as a user of the server, and registers again when the connection is lost. */
function keepPlace(cluster: PostgresCluster, first: HeldServer): { leave(): Promise<void> } {
  let held: HeldServer | undefined;
  let leaving: Promise<void> | undefined;
  const watch = (next: HeldServer) => {
    held = next;
    next.client.once('end', () => {
      held = undefined;
      rejoin();
    });
  };
  const rejoin = () => {
    if (leaving !== undefined) return;
    setTimeout(async () => {
      const again = leaving === undefined ? await joinRunningServer(cluster) : undefined;
      if (again === undefined) return rejoin();
      if (leaving === undefined) return watch(again);
      await again.client.end();
    }, REJOIN_MS).unref();
  };
  const leave = async () => {
    const last = held ?? (await joinRunningServer(cluster));
    if (last === undefined) return;
    if (await leaveServer(last)) await shutDown(cluster, last.run);
    await last.client.end().catch(() => undefined);
  };
  watch(first);
  return {
    leave: () => {
      leaving ??= leave();
      return leaving;
    },
  };
}

/** PostgreSQL's fast shutdown: transactions are rolled back, connections closed, everything is written. */
async function shutDown(cluster: PostgresCluster, run: PostmasterFile): Promise<void> {
  process.kill(run.pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    // The file is removed last; the exited process may remain as a zombie.
    if (!isSameRun(run, await readPostmasterFile(cluster.directory))) return;
    if (!(await isPostmasterAlive(cluster.directory, run))) return;
    await pause(POLL_MS);
  }
  throw new LocalServiceError(
    `PostgreSQL (process ${run.pid}) did not stop within ${STOP_TIMEOUT_MS / 1000} seconds.`,
  );
}
