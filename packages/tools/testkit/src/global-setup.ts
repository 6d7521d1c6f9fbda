import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@vestibule/database';
import { installRedisServer, sendRedisCommand, startPostgres, startRedis } from '@vestibule/local-services';
import type { TestServices } from '@vestibule/local-services/testing';
import type { TestProject } from 'vitest/node';
import { controlText, requireNoLeaks } from './leak-scan/scan-services.js';

const TEMPLATE_DATABASE = 'template_migrated';
const REDIS_DATABASES = 2_000;

/**
 * Starts the services of a test run, and provides their addresses.
 * @returns how to stop them
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { services, stop } = await startServices();
  project.provide('services', services);
  return async () => {
    const { fsModuleCachePath } = project.vitest.config.experimental;
    try {
      await stop();
    } finally {
      if (fsModuleCachePath !== undefined && process.env['TRANSFORMED_MODULES'] === undefined)
        await rm(fsModuleCachePath, { recursive: true, force: true });
    }
  };
}

async function startServices(): Promise<{ services: TestServices; stop(): Promise<void> }> {
  await installRedisServer((sentence) => process.stderr.write(`${sentence}\n`));
  const dataFolder = await mkdtemp(join(tmpdir(), 'vestibule-test-'));
  const secretsFile = join(dataFolder, 'secrets-of-tests');
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(started.map((service) => service.stop()));
    await rm(dataFolder, { recursive: true, force: true });
  };
  try {
    const postgres = await startPostgres({ dataFolder, durable: false });
    started.push(postgres);
    const redis = await startRedis({ databases: REDIS_DATABASES, folder: dataFolder });
    started.push(redis);
    await postgres.createDatabase(TEMPLATE_DATABASE);
    await migrate(postgres.url(TEMPLATE_DATABASE));
    return {
      services: {
        postgresUrl: postgres.url('postgres'),
        templateDatabase: TEMPLATE_DATABASE,
        redisUrl: redis.url,
        redisDatabases: REDIS_DATABASES,
        secretsFile,
      },
      stop: async () => {
        const control = controlText();
        await postgres.createDatabase(control);
        for (const command of ['CONFIG SET rdbcompression no', `SET control ${control}`, 'SAVE'])
          await sendRedisCommand(redis.url, command);
        // A stopped server has written everything.
        await postgres.stop();
        const redisDump = join(dataFolder, 'dump.rdb');
        try {
          requireNoLeaks({ secretsFile, postgresDirectory: postgres.directory, redisDump }, control);
        } catch (error) {
          // The runner reports errors of a teardown, but would still count the run as a success.
          process.exitCode = 1;
          throw error;
        } finally {
          await stop();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
