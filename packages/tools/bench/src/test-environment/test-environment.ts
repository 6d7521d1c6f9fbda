import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  askRedis,
  type Closers,
  installRedisServer,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
} from '@vestibule/local-services';
import { type Pinning, pinProcesses } from '../load/pinning.js';
import { findWrk } from '../load/wrk-installation.js';
import type { ConfiguredServer } from '../targets/configured-servers.js';
import type { Effort } from './effort.js';
import { ROOT } from './root.js';

/** Where the benchmarks take place: this machine, its databases, and what was chosen for the run. */
export interface TestEnvironment {
  /** Where data lie that outlive a run. */
  readonly folder: string;
  readonly effort: Effort;
  /** Options of Node for the services under test. */
  readonly nodeOptions: readonly string[];
  /** Other servers to compare with. */
  readonly others: readonly ConfiguredServer[];
  readonly pinning: Pinning;
  /** The load generator; absent where this process has to do. */
  readonly wrk: string | undefined;
  readonly log: (sentence: string) => void;
  readonly closers: Closers;
  /** Aborted when the person at the machine wants it to end. */
  readonly interruption: AbortSignal;
  /** A durable PostgreSQL beside the load, started when it is first needed. */
  postgres(): Promise<PostgresServer>;
  /** A Redis beside the load, started when it is first needed. */
  redis(): Promise<RedisServer>;
  /** Empties Redis. */
  forget(): Promise<void>;
}

/** Where data lie that outlive a run. */
export function stateFolder(): string {
  return join(ROOT, '.vestibule', 'bench');
}

/** What is chosen for a run. */
export type TestEnvironmentChoices = Pick<
  TestEnvironment,
  'effort' | 'nodeOptions' | 'others' | 'log' | 'closers' | 'interruption'
>;

/** Sets the stage: moves this process to the core of the load, so that everything started from it follows. */
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
    await askRedis((await redis()).url, 'FLUSHALL');
  };
  const wrk = await findWrk(log);
  return { ...chosen, folder, pinning: await pinProcesses(), wrk, postgres, redis, forget };
}

/** Makes a thing once, when it is first asked for. */
export function kept<Thing>(make: () => Promise<Thing>): () => Promise<Thing> {
  let made: Promise<Thing> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
