import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedisServer, freePort } from '@vestibule/local-services';
import { Redis } from 'ioredis';
import { until } from '../until.js';
import { type PlainProcess, startPlainProcess } from './plain-process.js';

/** The password of every Redis of the suite; they listen on loopback and persist nothing. */
export const REDIS_PASSWORD = 'chaos';

/** How a server is started. */
export interface RedisOptions {
  /** Configuration lines besides address and password. */
  readonly configuration?: readonly string[];
  readonly sentinel?: boolean;
}

/** A Redis that can be frozen, killed and restarted on its port. */
export interface RedisUnderFault {
  readonly port: number;
  /** A client that waits for the server, for use by faults. */
  readonly admin: Redis;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Restarts it, empty, and waits until it responds. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server and waits until it responds. @throws when no server program is installed */
export async function startRedisUnderFault(options: RedisOptions = {}): Promise<RedisUnderFault> {
  const { configuration = [], sentinel = false } = options;
  const program = await findRedisServer();
  if (program === undefined) throw new Error('redis-server is not on PATH');
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-chaos-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  const lines = [...address(port, folder), ...(sentinel ? ['protected-mode no'] : SERVER), ...configuration];
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const admin = adminOf(port, sentinel);
  const start = async () => {
    const started = await startPlainProcess({
      command: [program, file, ...(sentinel ? ['--sentinel'] : [])],
    });
    await until(async () => (await admin.ping()) === 'PONG');
    return started;
  };
  let server: PlainProcess = await start();
  return {
    port,
    admin,
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    kill: () => server.end('SIGKILL'),
    restart: async () => {
      await server.end('SIGKILL');
      server = await start();
    },
    stop: async () => {
      admin.disconnect();
      await server.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The URL of a server for the services. */
export function redisUrl(port: number): string {
  return `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}`;
}

const SERVER = [
  `requirepass ${REDIS_PASSWORD}`,
  `masterauth ${REDIS_PASSWORD}`,
  'save ""',
  'appendonly no',
  'repl-diskless-sync-delay 0',
];

function address(port: number, folder: string): readonly string[] {
  return [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'daemonize no'];
}

function adminOf(port: number, sentinel: boolean): Redis {
  const client = new Redis({
    port,
    host: '127.0.0.1',
    ...(sentinel ? {} : { password: REDIS_PASSWORD }),
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
    disableClientInfo: true,
  });
  client.on('error', () => undefined);
  return client;
}
