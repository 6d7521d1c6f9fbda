import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { LocalServiceError } from './local-service-error.js';
import { sendRedisCommand } from './redis-connection.js';
import { dyingWithParent, PLAIN_ENVIRONMENT, runCommand } from './run-command.js';

/** How to start a server. */
export interface RedisOptions {
  /** Its working folder, where it stores nothing; default: the system's folder for temporary files. */
  readonly folder?: string;
  /** The loopback port, default a free one. */
  readonly port?: number;
  /** The number of numbered databases, default 16. */
  readonly databases?: number;
  /** Called with a sentence before each slow step. */
  readonly log?: (sentence: string) => void;
}

/** A running Redis (or Valkey) that listens on 127.0.0.1 only and loses its data when it stops. */
export interface RedisServer {
  readonly port: number;
  /** The connection URL with the password of this run: a secret. */
  readonly url: string;
  /** Stops it. May be called repeatedly. */
  stop(): Promise<void>;
}

/** The message when there is no server program. */
export const REDIS_MISSING =
  'No redis-server or valkey-server is on PATH: install one (Debian and Ubuntu: apt-get install redis-server; macOS: brew install redis).';

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/** The path of the Redis or Valkey server program of this machine; `undefined` when there is none on PATH. */
export async function findRedisServer(): Promise<string | undefined> {
  const { exitCode, output } = await runCommand('/bin/sh', [
    '-c',
    'command -v redis-server || command -v valkey-server',
  ]);
  return exitCode === 0 ? output.trim() : undefined;
}

/**
 * Starts Redis without persistence and with a random password. It ends with this process where the system supports
 * that.
 * @throws LocalServiceError when there is no server program or it does not start
 */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const program = await findRedisServer();
  if (program === undefined) throw new LocalServiceError(REDIS_MISSING);
  const port = options.port ?? (await freePort());
  const password = randomBytes(24).toString('hex');
  options.log?.(`Starting Redis on port ${port}.`);
  const [file = '', ...args] = [...(await dyingWithParent('TERM')), program, '-'];
  const child = spawn(file, args, {
    cwd: options.folder ?? tmpdir(),
    env: PLAIN_ENVIRONMENT,
    // A separate session, so that an interrupt at the terminal reaches only this process.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.once('error', () => undefined);
  child.stdin.on('error', () => undefined);
  // Configuration by standard input keeps the password out of the process list and off the disk.
  child.stdin.end(configuration(port, password, options.databases ?? 16));
  if (!(await becomesReady(child, port, password))) {
    child.kill('SIGKILL');
    throw new LocalServiceError(`Redis did not start on port ${port} of 127.0.0.1: the port may be in use.`);
  }
  child.unref();
  return { port, url: redisUrl(port, password), stop: () => stop(child) };
}

function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

function configuration(port: number, password: string, databases: number): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    'protected-mode yes',
    `requirepass ${password}`,
    `databases ${databases}`,
    'daemonize no',
    'save ""',
    'appendonly no',
    '',
  ].join('\n');
}

async function becomesReady(child: ChildProcess, port: number, password: string): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (child.pid !== undefined && isRunning(child) && Date.now() < deadline) {
    if ((await sendRedisCommand(redisUrl(port, password), 'PING')) === '+PONG') return true;
    await pause(POLL_MS);
  }
  return false;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isRunning(child) && Date.now() < deadline) await pause(POLL_MS);
  if (isRunning(child)) child.kill('SIGKILL');
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
