import { createHash, randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { migrate, openStore, type Store } from '@vestibule/database';
import type { Closers } from '@vestibule/local-services';
import { systemClock } from '@vestibule/protocol';
import pg from 'pg';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { postJson } from '../load/http.js';
import type { PostgresUnderFault } from '../processes/postgres.js';
import { startService } from '../processes/service.js';

/** The issuer that services are configured with; no connection is made to it. */
export const ISSUER = 'https://op.example';

/** A database, and the settings of services that use it. */
export interface Installation {
  readonly database: string;
  /** The settings of every service, except database and Redis. */
  readonly environment: Readonly<Record<string, string>>;
  /** The store as services use it, connected without a proxy: network faults do not affect it. */
  readonly store: Store;
  /** Plain SQL, as an outside program would run it. */
  readonly pool: pg.Pool;
  /** A client that may introspect. */
  readonly resourceServer: { readonly id: string; readonly secret: string; readonly authorization: string };
}

const DATABASE = 'chaos';
const Registered = Type.Object({ client_id: Type.String(), client_secret: Type.String() });

/** Creates a fresh database and registers a resource server in it. */
export async function openInstallation(
  postgres: Pick<PostgresUnderFault, 'url' | 'createDatabase' | 'dropDatabase'>,
  toEnd: Closers,
): Promise<Installation> {
  await postgres.dropDatabase(DATABASE);
  await postgres.createDatabase(DATABASE);
  const url = postgres.url(DATABASE);
  await migrate(url);
  const [masterToken, encryptionKeys] = [
    randomBytes(32).toString('hex'),
    randomBytes(32).toString('base64url'),
  ];
  const store = openStore({
    connection: { url, poolSize: 8, applicationName: 'chaos' },
    keyEncryptionKeys: parseKeyEncryptionKeys(encryptionKeys),
    clock: systemClock,
    random: secureRandom,
    signingAlgorithms: ['ES256'],
    onProblem: () => undefined,
  });
  toEnd.add(store.close);
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    application_name: 'chaos',
    query_timeout: 5_000,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  toEnd.add(() => pool.end());
  await store.opened;
  const environment = {
    BASE_URL: ISSUER,
    HOST: '127.0.0.1',
    ENCRYPTION_KEYS: encryptionKeys,
    SHUTDOWN_DRAIN_MS: '0',
    // All requests come from one caller.
    RATE_LIMITS_ENABLED: 'false',
    LOG_LEVEL: 'info',
  };
  const resourceServer = await register({ ...environment, DATABASE_URL: url }, masterToken);
  return { database: DATABASE, environment, store, pool, resourceServer };
}

async function register(environment: Readonly<Record<string, string>>, masterToken: string) {
  const MASTER_TOKEN_SHA256 = createHash('sha256').update(masterToken).digest('hex');
  const service = await startService({
    name: 'registration',
    environment: { ...environment, MASTER_TOKEN_SHA256 },
  });
  try {
    const metadata = { grant_types: ['client_credentials'], scope: `${ISSUER}/token/introspect` };
    const { status, body } = await postJson(service.port, '/clients', masterToken, metadata);
    if (status !== 200) throw new Error(`the resource server was not registered: ${status}`);
    const { client_id: id, client_secret: secret } = Value.Parse(Registered, JSON.parse(body));
    return { id, secret, authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  } finally {
    await service.stop();
  }
}
