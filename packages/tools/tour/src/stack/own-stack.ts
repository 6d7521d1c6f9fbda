import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Closers,
  findRedisServer,
  freePort,
  startPostgres,
  startRedis,
} from '@vestibule/local-services';
import type { SmallFederation } from '@vestibule/testkit/federation';
import { DEMO_SCOPE } from '../demo/relying-party.js';
import { type StackProgram, startStackProcess } from './stack-process.js';
import { openTrustedFederation } from './trusted-federation.js';

/** A stack that the tour started. */
export interface OwnStack {
  /** The base URLs of the introspection instances, the all-in-one process first. */
  readonly introspection: readonly string[];
  readonly masterTokenFile: string;
  /** The federation whose anchor it trusts. */
  readonly federation: SmallFederation;
  readonly consoleUrl: string;
}

const STANDALONE: StackProgram = { app: 'standalone', readyOutput: 'Vestibule is ready' };
const INTROSPECTION: StackProgram = { app: 'introspection', readyOutput: '"listening"' };
const DATABASE_NAME = 'vestibule';
/** Besides the one in the all-in-one process. */
const INTROSPECTION_SERVICES = 2;

/** Anyone may register an application of the tour, and an operator approves it. */
const OPEN_REGISTRATION = {
  ALLOW_OPEN_REGISTRATION: 'true',
  OPEN_REGISTRATION_APPROVAL: 'true',
  OPEN_REGISTRATION_SCOPES: DEMO_SCOPE,
};

/**
 * Starts the all-in-one process at a loopback address with a temporary folder, and further introspection services that
 * share its PostgreSQL and, if a server program is installed, Redis.
 * @throws TourError when a process does not start
 */
export async function startOwnStack(baseUrl: string, toEnd: Closers): Promise<OwnStack> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-tour-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const { federation, settings: federationSettings } = await openTrustedFederation(toEnd);
  const shared = {
    BASE_URL: baseUrl,
    MANAGEMENT_PORT: '0',
    ...federationSettings,
    ...(await redisSettings(toEnd)),
  };
  const { port } = new URL(baseUrl);
  const consolePort = await freePort();
  const ownSettings = { DATA_DIR: folder, PORT: port, CONSOLE_PORT: String(consolePort) };
  await start(STANDALONE, { ...shared, ...OPEN_REGISTRATION, ...ownSettings }, toEnd);
  // Uses the PostgreSQL server that the all-in-one process started.
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres') });
  toEnd.add(postgres.stop);
  const settings = {
    ...shared,
    HOST: '127.0.0.1',
    DATABASE_URL: postgres.url(DATABASE_NAME),
    ENCRYPTION_KEYS_FILE: join(folder, 'encryption-keys'),
    RATE_LIMITS_ENABLED: 'false',
  };
  const introspection = [baseUrl];
  for (let count = 0; count < INTROSPECTION_SERVICES; count += 1) {
    const own = await freePort();
    await start(INTROSPECTION, { ...settings, PORT: String(own) }, toEnd);
    introspection.push(`http://127.0.0.1:${own}`);
  }
  const consoleUrl = `http://localhost:${consolePort}`;
  return { introspection, masterTokenFile: join(folder, 'master-token'), federation, consoleUrl };
}

async function redisSettings(toEnd: Closers): Promise<Readonly<Record<string, string>>> {
  if ((await findRedisServer()) === undefined) return {};
  const redis = await startRedis();
  toEnd.add(redis.stop);
  return { REDIS_URL: redis.url };
}

async function start(
  program: StackProgram,
  settings: Readonly<Record<string, string>>,
  toEnd: Closers,
): Promise<void> {
  const server = startStackProcess(program, settings);
  toEnd.add(server.stop);
  await server.ready;
}
