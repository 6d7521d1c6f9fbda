import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LocalServiceError } from './local-service-error.js';
import type { PostgresAccount } from './postgres-account.js';
import { postgresProgram } from './postgres-binaries.js';
import { runCommand } from './run-command.js';

/** An initialized database cluster and the password of its superuser `postgres`. */
export interface PostgresCluster {
  /** PostgreSQL's data directory. */
  readonly directory: string;
  readonly password: string;
}

/** For a server without durability: its password is random, so it needs no slow hash, which each connection computes. */
const FAST_OPTIONS = ['--no-sync', '--set=scram_iterations=1'];

const UNFINISHED_PREFIX = 'cluster.new-';
const UNFINISHED_LIFETIME_MS = 600_000;

/** The folder of the cluster inside a data folder. */
export function clusterFolder(dataFolder: string): string {
  return join(dataFolder, 'cluster');
}

/**
 * Makes the data folder writable; creates it with mode 0700.
 * @throws LocalServiceError when it cannot
 */
export async function prepareDataFolder(dataFolder: string): Promise<void> {
  const probe = join(dataFolder, `probe-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
    await mkdir(probe);
    await rm(probe, { recursive: true });
  } catch (cause) {
    throw new LocalServiceError(`The folder ${dataFolder} cannot be written (${errorCode(cause)}).`, {
      cause,
    });
  }
}

/**
 * Opens the cluster of a data folder, initializing it on first use. Safe with parallel starts and after a kill at any
 * point: a cluster appears complete, with its password, or not at all.
 * @throws LocalServiceError when it cannot be initialized or read
 */
export async function openCluster(
  dataFolder: string,
  account: PostgresAccount,
  durable: boolean,
): Promise<PostgresCluster> {
  const folder = clusterFolder(dataFolder);
  if (!(await exists(folder))) {
    await removeAbandoned(dataFolder);
    await initialize(dataFolder, account, durable);
  }
  try {
    const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
    return { directory: join(folder, 'data'), password };
  } catch (cause) {
    throw new LocalServiceError(`The database in ${folder} cannot be read (${errorCode(cause)}).`, { cause });
  }
}

async function initialize(dataFolder: string, account: PostgresAccount, durable: boolean): Promise<void> {
  const unfinished = join(dataFolder, `${UNFINISHED_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  const password = join(unfinished, 'password');
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  await account.adopt(password);
  await account.adopt(unfinished);
  const [file = '', ...args] = [
    ...account.prefix,
    postgresProgram(account.binaries, 'initdb'),
    `--pgdata=${join(unfinished, 'data')}`,
    '--username=postgres',
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : FAST_OPTIONS),
  ];
  const { exitCode, output } = await runCommand(file, args, account.spawnOptions);
  if (exitCode !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new LocalServiceError(
      `The database in ${dataFolder} could not be initialized: ${lastLine(output)}`,
    );
  }
  await publish(unfinished, clusterFolder(dataFolder));
}

/** A folder can be renamed onto an existing one only when that is empty: the first of parallel starts wins. */
async function publish(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Removes the remains of a start that was killed during initialization. */
async function removeAbandoned(dataFolder: string): Promise<void> {
  const names = (await readdir(dataFolder)).filter((name) => name.startsWith(UNFINISHED_PREFIX));
  for (const name of names) {
    const path = join(dataFolder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > UNFINISHED_LIFETIME_MS) await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
