import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer, freePort } from '@vestibule/local-services';
import { Redis } from 'ioredis';
import { vi } from 'vitest';

/** Password of every test server. */
export const TEST_PASSWORD = 'redis-test-password';

/** Commands that the ACL user needs. */
export const NEEDED_COMMANDS = ['getrange', 'set', 'incrby', 'ping', 'info', 'select'];

/** Options of a test server. */
export interface RedisProcessOptions {
  /** Loopback port. Default: a free one. A killed server can be restarted on its own port. */
  readonly port?: number;
  /** Configuration lines besides port, address and password. */
  readonly configuration?: readonly string[];
  readonly sentinel?: boolean;
}

/** A real Redis server that a test may freeze, fill and kill. */
export interface RedisProcess {
  readonly port: number;
  /** Connection address of the default user. */
  readonly url: string;
  /** Client for the test's own commands, with the defaults of the library: it waits for the server. */
  readonly admin: Redis;
  /** Adds a user with the given ACL rules and the test password. */
  addUser(name: string, rules: readonly string[]): Promise<void>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Stops the server, frozen or not, and its client. */
  stop(): Promise<void>;
}

/** Starts a server and waits until it responds. It does not outlive this process. */
export async function startRedisProcess({
  port,
  configuration = [],
  sentinel = false,
}: RedisProcessOptions = {}): Promise<RedisProcess> {
  const program = await findRedisServer();
  if (program === undefined) throw new Error('no Redis server is installed');
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-cache-'));
  const ownPort = port ?? (await freePort());
  const file = join(folder, 'redis.conf');
  await writeFile(file, [...lines(ownPort, folder, sentinel), ...configuration, ''].join('\n'), {
    mode: 0o600,
  });
  const child = spawn(program, [file, ...(sentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const admin = adminClient(ownPort, sentinel);
  await vi.waitFor(() => admin.ping(), { timeout: 60_000, interval: 20 });
  const kill = () => end(child);
  return {
    port: ownPort,
    url: `redis://:${TEST_PASSWORD}@127.0.0.1:${ownPort}`,
    admin,
    addUser: async (name, rules) => {
      const nothing = ['on', `>${TEST_PASSWORD}`, 'resetkeys', 'resetchannels', 'nocommands'];
      await admin.call('ACL', 'SETUSER', name, ...nothing, ...rules);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    stop: async () => {
      admin.disconnect();
      await kill();
      process.off('exit', killAtExit);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function lines(port: number, folder: string, sentinel: boolean): readonly string[] {
  const shared = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'daemonize no'];
  return sentinel
    ? [...shared, 'protected-mode no']
    : [...shared, `requirepass ${TEST_PASSWORD}`, `masterauth ${TEST_PASSWORD}`, 'save ""', 'appendonly no'];
}

function adminClient(port: number, sentinel: boolean): Redis {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    ...(sentinel ? {} : { password: TEST_PASSWORD }),
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
    disableClientInfo: true,
  });
  client.on('error', () => undefined);
  return client;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
