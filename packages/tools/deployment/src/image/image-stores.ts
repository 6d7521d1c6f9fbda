import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@vestibule/database';
import { type Closers, installRedisServer, startPostgres, startRedis } from '@vestibule/local-services';

/** The settings that every service needs to start. */
export interface ImageStores {
  readonly settings: Readonly<Record<string, string>>;
}

const DATABASE = 'images';

/** Starts a PostgreSQL with the schema of this version and a Redis, for services that only become ready. */
export async function openImageStores(toEnd: Closers, say: (line: string) => void): Promise<ImageStores> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-image-stores-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  await installRedisServer(say);
  const postgres = await startPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
  toEnd.add(postgres.stop);
  const redis = await startRedis({ folder });
  toEnd.add(redis.stop);
  await postgres.createDatabase(DATABASE);
  await migrate(postgres.url(DATABASE));
  return { settings: serviceSettings(postgres.url(DATABASE), redis.url) };
}

/** Where an image finds the routes file of forward authentication. */
export const ROUTES_FILE = '/etc/vestibule/routes.json';

/** The settings that a service needs to become ready. */
export function serviceSettings(databaseUrl: string, redisUrl: string): Readonly<Record<string, string>> {
  return {
    BASE_URL: 'http://localhost:8080',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
    MASTER_TOKEN_SHA256: randomBytes(32).toString('hex'),
    CONSOLE_URL: 'http://localhost:8087',
    ROUTES_FILE,
    INTROSPECTION_CLIENT_ID: 'forward-auth',
    INTROSPECTION_CLIENT_SECRET: randomBytes(32).toString('hex'),
  };
}
