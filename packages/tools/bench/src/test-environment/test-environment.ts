import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Closers,
  installRedisServer,
  type PostgresServer,
  type RedisServer,
  sendRedisCommand,
  startPostgres,
  startRedis,
} from '@vestibule/local-services';
import { type Pinning, pinProcesses } from '../load/pinning.js';
import { findWrk } from '../load/wrk-installation.js';
import type { ConfiguredServer } from '../targets/configured-servers.js';
import type { Effort } from './effort.js';
import { ROOT } from './root.js';

/** The environment of the benchmarks: this machine, its databases, and the choices for the run. */
export interface TestEnvironment {
  /** The folder of data that is kept between runs. */
  readonly folder: string;
  readonly effort: Effort;
  /** Node options of the services under test. */
  readonly nodeOptions: readonly string[];
  /** Other servers to compare with. */
  readonly others: readonly ConfiguredServer[];
  readonly pinning: Pinning;
  /** The load generator; absent when this process generates the load. */
  readonly wrk: string | undefined;
  readonly log: (sentence: string) => void;
  readonly closers: Closers;
  /** Aborted when the user interrupts the run. */
  readonly interruption: AbortSignal;
  /** A durable PostgreSQL on the core of the load, started on first use. */
  postgres(): Promise<PostgresServer>;
  /** A Redis on the core of the load, started on first use. */
  redis(): Promise<RedisServer>;
  /** Flushes Redis. */
  forget(): Promise<void>;
}

/** The folder of data that is kept between runs. */
export function stateFolder(): string {
  return join(ROOT, '.vestibule', 'bench');
}

/** Choices for a run. */
export type TestEnvironmentChoices = Pick<
  TestEnvironment,
  'effort' | 'nodeOptions' | 'others' | 'log' | 'closers' | 'interruption'
>;

/** Opens the environment: moves this process to the core of the load, which child processes inherit. */
export async function openTestEnvironment(chosen: TestEnvironmentChoices): Promise<TestEnvironment> {
  const { log, closers } = chosen;
  const folder = stateFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const postgres = kept(async () => {
    const server = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: true, log });
    closers.add(server.stop);
    return server;
  });
  const redis = kept(async () => {
    await installRedisServer(log);
    const server = await startRedis({ log });
    closers.add(server.stop);
    return server;
  });
  const forget = async () => {
    await sendRedisCommand((await redis()).url, 'FLUSHALL');
  };
  const wrk = await findWrk(log);
  return { ...chosen, folder, pinning: await pinProcesses(), wrk, postgres, redis, forget };
}

/** Creates a value once, on first use. */
export function kept<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
