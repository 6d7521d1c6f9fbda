import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '@vestibule/local-services';
import pg from 'pg';
import { until } from '../until.js';

/** A PostgreSQL that may be frozen, killed and started again on its port. */
export interface PostgresUnderFault {
  readonly port: number;
  /** PostgreSQL's own files. */
  readonly directory: string;
  url(database: string): string;
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Every process of it stands still. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Ends it at once, without a shutdown: it recovers when it is started again. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL over a folder. */
export async function startPostgresUnderFault(dataFolder: string): Promise<PostgresUnderFault> {
  let server: PostgresServer = await startPostgres({ dataFolder, durable: true });
  const { port } = server;
  let postmaster = await postmasterOf(server.url('postgres'));
  const signalAll = async (signal: NodeJS.Signals) => {
    // The parent first, so that no process comes while the others are counted.
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
      // Otherwise this handle would join the next run too, and keep it alive.
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

/** The process that all processes of the server come from. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = rows[0]?.pid;
    const found = (await processes()).find(({ pid }) => pid === backend);
    if (found === undefined) throw new Error('the processes of PostgreSQL cannot be seen');
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
