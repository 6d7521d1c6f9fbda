import { type Closers, installRedisServer } from '@vestibule/local-services';
import { type PostgresUnderFault, startPostgresUnderFault } from '../processes/postgres.js';
import { type RedisUnderFault, startRedisUnderFault } from '../processes/redis.js';
import { type Installation, openInstallation } from './installation.js';

/** The stores that all trials share. */
export interface TestEnvironment {
  readonly postgres: PostgresUnderFault;
  readonly redis: RedisUnderFault;
  readonly installation: Installation;
  readonly log: (sentence: string) => void;
}

/** Starts PostgreSQL in a folder and a Redis, and creates an installation. */
export async function openTestEnvironment(
  folder: string,
  toEnd: Closers,
  log: TestEnvironment['log'],
): Promise<TestEnvironment> {
  await installRedisServer(log);
  const redis = await startRedisUnderFault();
  toEnd.add(redis.stop);
  const postgres = await startPostgresUnderFault(folder);
  toEnd.add(postgres.stop);
  return { postgres, redis, installation: await openInstallation(postgres, toEnd), log };
}
