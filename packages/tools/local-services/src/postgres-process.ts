import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresAccount } from './postgres-account.js';
import { postgresProgram } from './postgres-binaries.js';
import { dyingWithParent } from './run-command.js';

/** How to start a server. */
export interface PostgresLaunch {
  readonly account: PostgresAccount;
  readonly dataFolder: string;
  readonly directory: string;
  readonly port: number;
  readonly durable: boolean;
}

/** A started server process. */
export interface PostgresProcess {
  isRunning(): boolean;
  /** The end of its error output after its exit; `undefined` when it is empty. */
  complaint(): Promise<string | undefined>;
}

const LOG_MAX_BYTES = 10_000_000;

const COMMON_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/**
 * Fast, without durability: writes may be lost when the machine fails. Databases live for minutes and are small, so they
 * are neither vacuumed nor worth processes that read ahead.
 */
const FORGETFUL_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  io_method: 'sync',
  update_process_title: 'off',
};

/**
 * Starts a server in a separate session, so that an interrupt at the terminal reaches only this process. A durable
 * server outlives this process; a non-durable one ends with it where the system supports that.
 */
export async function launchPostgres(launch: PostgresLaunch): Promise<PostgresProcess> {
  const { account, dataFolder, directory, port, durable } = launch;
  const settings = { ...COMMON_SETTINGS, port: String(port), ...(durable ? {} : FORGETFUL_SETTINGS) };
  const [file = '', ...args] = [
    ...account.prefix,
    ...(durable ? [] : await dyingWithParent('INT')),
    postgresProgram(account.binaries, 'postgres'),
    '-D',
    directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const logPath = join(dataFolder, 'postgres.log');
  await rotateLog(logPath);
  const log = await open(logPath, 'a', 0o600);
  try {
    const { size: logStart } = await log.stat();
    const stdio = ['ignore', log.fd, log.fd] as const;
    const child = spawn(file, args, { ...account.spawnOptions, detached: true, stdio: [...stdio] });
    child.unref();
    let failure: string | undefined;
    child.once('error', (error) => {
      failure = error.message;
    });
    return {
      isRunning: () => failure === undefined && child.exitCode === null && child.signalCode === null,
      complaint: async () => failure ?? (await lastComplaint(logPath, logStart)),
    };
  } finally {
    await log.close();
  }
}

async function lastComplaint(logPath: string, logStart: number): Promise<string | undefined> {
  const lines = (await readFile(logPath)).subarray(logStart).toString().split('\n');
  return lines
    .filter((line) => /(FATAL|PANIC|could not|error):? /.test(line))
    .at(-1)
    ?.replace(/^.*?(FATAL|PANIC):\s+/, '');
}

async function rotateLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LOG_MAX_BYTES) await rename(path, `${path}.1`);
}
