import { randomBytes } from 'node:crypto';
import { openDatabase } from '@vestibule/database';
import { createLogger, createMetrics } from '@vestibule/http/observability';
import { systemClock } from '@vestibule/protocol';
import { nodeScheduler, type Scheduler } from '@vestibule/protocol/runtime';
import { openAuthorizationServerKeys } from '@vestibule/service';
import { Secret } from '@vestibule/service/settings';
import { onTestFinished, vi } from 'vitest';
import {
  buildApp,
  composeIntrospection,
  loadIntrospectionConfig,
  openIntrospectionCache,
} from '../../src/index.js';
import { aTestService, ISSUER, patientConnection, type TestService } from './test-service.js';

/** An instance with a cache and connections of its own. */
export type CachedInstance = Awaited<ReturnType<typeof aCachedInstance>>;

/** Deviations of an instance. */
export interface InstanceDeviation {
  /** Without it the instance has no shared level. */
  readonly redisUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether no request gives up on a busy machine. */
  readonly isPatient?: boolean;
}

/** Extends every deadline, so that no request gives up on a busy machine. */
const patientScheduler: Scheduler = {
  ...nodeScheduler,
  after: (delayMs, run) => nodeScheduler.after(30 * delayMs, run),
};

/** A service with the real time, like the database, which events need. */
export function aTimedService(): Promise<TestService> {
  return aTestService({ clock: systemClock });
}

/** Composes an instance like its process, and waits until its invalidation stream has a watermark. */
export async function aCachedInstance(
  { databaseUrl, keys, deps }: TestService,
  { redisUrl, environment = {}, isPatient = false }: InstanceDeviation = {},
) {
  const database = openDatabase({
    ...(isPatient ? patientConnection(databaseUrl) : { url: databaseUrl }),
    poolSize: 8,
  });
  const config = {
    ...loadIntrospectionConfig({
      BASE_URL: ISSUER,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
      DATABASE_POOL_SIZE: '8',
      ...environment,
    }),
    ...(redisUrl !== undefined && { REDIS_URL: new Secret(redisUrl) }),
  };
  const metrics = createMetrics('introspection');
  const store = {
    database,
    digester: deps.digester,
    refreshDigestKeys: async () => {
      await keys.dataKeys.refresh();
      return keys.dataKeys.digestKeyChanges();
    },
    providerKeys: keys.keyRing,
    encryptor: keys.encryptor,
  };
  const logger = createLogger({ level: 'silent', service: 'introspection' });
  const authorizationServer = openAuthorizationServerKeys({
    settings: config,
    ours: store.providerKeys,
    logger,
    metrics,
    tracer: undefined,
  });
  const authorizationServerKeys = authorizationServer?.keys;
  const cache = openIntrospectionCache({
    config,
    store,
    authorizationServerKeys,
    logger,
    metrics,
    ...(isPatient && { scheduler: patientScheduler }),
  });
  const dependencies = [
    ...cache.dependencies,
    ...(authorizationServer === undefined ? [] : [authorizationServer.dependency]),
  ];
  const app = buildApp(
    {
      ...composeIntrospection(config, store, cache, {
        authorizationServerKeys,
        registry: metrics.registry,
      }),
    },
    { logger: false, metrics },
  );
  onTestFinished(async () => {
    await app.close();
    for (const { close } of dependencies) await close();
    await database.close();
  });
  const check = async () => {
    for (const { check } of dependencies) await check?.();
  };
  await vi.waitFor(check, { timeout: 60_000, interval: 5 });
  await vi.waitUntil(() => cache.tagStream.position() !== undefined, { timeout: 60_000, interval: 5 });
  return { app, cache, database, registry: metrics.registry, authorizationServerKeys };
}
