import { join } from 'node:path';
import { installRedisServer, startPostgres, startRedis } from '@vestibule/local-services';

/** Postgres and Redis for examples. */
export interface ExampleServices {
  /** The variables that an example reads, each with a database of its own. */
  variablesOf(code: string): Promise<Readonly<Record<string, string>>>;
  stop(): Promise<void>;
}

const TEMPLATE = 'migrated';

/**
 * Starts the stores.
 * @param folder where they keep their data
 * @param migrate brings a database to the schema of the packages
 */
export async function startExampleServices(
  folder: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<ExampleServices> {
  await installRedisServer((sentence) => process.stderr.write(`${sentence}\n`));
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
  const redis = await startRedis({ databases: 256 });
  const stop = async () => {
    await Promise.all([postgres.stop(), redis.stop()]);
  };
  let count = 0;
  const newDatabase = async () => {
    const name = `example_${count++}`;
    await postgres.createDatabase(name, TEMPLATE);
    return postgres.url(name);
  };
  try {
    await postgres.createDatabase(TEMPLATE);
    await migrate(postgres.url(TEMPLATE));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    variablesOf: async (code) => ({
      ...(code.includes('DATABASE_URL') && { DATABASE_URL: await newDatabase() }),
      ...(code.includes('REDIS_URL') && { REDIS_URL: `${redis.url}/${count++}` }),
    }),
    stop,
  };
}
