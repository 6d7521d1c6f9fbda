import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { migrate, openStore, type Store } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import pg from 'pg';
import { localSecrets } from './local-secrets.js';
import type { TestEnvironment } from './test-environment.js';

/** The issuer that services are configured with; no connection is made to it. */
export const ISSUER = 'https://op.example';

/** A database, and the settings of services that use it. */
export interface Installation {
  readonly databaseUrl: string;
  readonly masterToken: string;
  /** The settings of every service, except its ports. */
  readonly environment: Readonly<Record<string, string>>;
  /** The store as services use it, for filling it. */
  readonly store: Store;
  /** Plain SQL on the same database. */
  readonly pool: pg.Pool;
}

/** Whether a database starts empty or as an earlier run left it. */
export type InitialState = 'fresh' | 'kept';

/** Opens a database, migrated and with signing keys. */
export async function openInstallation(
  testEnvironment: TestEnvironment,
  name: string,
  initialState: InitialState,
): Promise<Installation> {
  const postgres = await testEnvironment.postgres();
  if (initialState === 'fresh') await postgres.dropDatabase(name);
  await postgres.createDatabase(name);
  const databaseUrl = postgres.url(name);
  await migrate(databaseUrl);
  const secrets = await localSecrets(testEnvironment.folder);
  const store = openStore({
    connection: { url: databaseUrl, poolSize: 4, applicationName: 'bench' },
    keyEncryptionKeys: parseKeyEncryptionKeys(secrets.encryptionKeys),
    clock: systemClock,
    random: secureRandom,
    signingAlgorithms: ['RS256', 'ES256'],
    onProblem: (error) => testEnvironment.log(`The keys of the store cannot be read: ${error}`),
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  testEnvironment.closers.add(store.close);
  testEnvironment.closers.add(() => pool.end());
  await store.opened;
  const environment = {
    BASE_URL: ISSUER,
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    REDIS_URL: (await testEnvironment.redis()).url,
    ENCRYPTION_KEYS: secrets.encryptionKeys,
    MASTER_TOKEN_SHA256: secrets.masterTokenSha256,
    ALLOW_OPEN_REGISTRATION: 'true',
    // All load comes from one address.
    RATE_LIMITS_ENABLED: 'false',
    SHUTDOWN_DRAIN_MS: '0',
  };
  return { databaseUrl, masterToken: secrets.masterToken, environment, store, pool };
}
