import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '@vestibule/local-services';
import pg from 'pg';
import { until } from '../until.js';

/** A PostgreSQL that can be frozen, killed and restarted on its port. */
export interface PostgresUnderFault {
  readonly port: number;
  /** The data directory. */
  readonly directory: string;
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Stops every process of it. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Ends it immediately, without a shutdown: the next start recovers. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL in a folder. */
export async function startPostgresUnderFault(dataFolder: string): Promise<PostgresUnderFault> {
  let server: PostgresServer = await startPostgres({ dataFolder, durable: true });
  const { port } = server;
  let postmaster = await postmasterOf(server.url('postgres'));
  const signalAll = async (signal: NodeJS.Signals) => {
    // The parent first, so that no new process starts while the others are listed.
    signalTo(postmaster, signal);
    for (const pid of await childrenOf(postmaster)) signalTo(pid, signal);
  };
  return {
    port,
    directory: server.directory,
    url: (database) => server.url(database),
    createDatabase: (name) => server.createDatabase(name),
    dropDatabase: (name) => server.dropDatabase(name),
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    kill: async () => {
      signalTo(postmaster, 'SIGQUIT');
      await until(async () => !isRunning(postmaster));
      // An unreleased handle would keep the server alive for the next run.
      await server.stop();
    },
    restart: async () => {
      server = await startPostgres({ dataFolder, port, durable: true });
      postmaster = await postmasterOf(server.url('postgres'));
    },
    stop: async () => {
      await signalAll('SIGCONT').catch(() => undefined);
      await server.stop();
    },
  };
}

/** The postmaster: the parent of all processes of the server. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]?.pid;
    const found = (await processes()).find(({ pid }) => pid === backend);
    if (found === undefined) throw new Error('the processes of PostgreSQL were not found');
    return found.parent;
  } finally {
    await client.end();
  }
}

async function childrenOf(parent: number): Promise<readonly number[]> {
  return (await processes()).filter((each) => each.parent === parent).map(({ pid }) => pid);
}

async function processes(): Promise<readonly { readonly pid: number; readonly parent: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout.split('\n').map((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return { pid: pid ?? 0, parent: parent ?? 0 };
  });
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  if (isRunning(pid)) process.kill(pid, signal);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
