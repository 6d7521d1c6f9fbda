import { randomBytes } from 'node:crypto';
import { tokenStateLevel } from '@vestibule/cache';
import { secureRandom } from '@vestibule/crypto';
import { openDataKeys } from '@vestibule/crypto/data-keys';
import { openKeyRing } from '@vestibule/crypto/signing-keys';
import { openDatabase } from '@vestibule/database';
import { createLogger, createMetrics } from '@vestibule/http/observability';
import type { Clock } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import { openServiceRedis } from '@vestibule/service/redis';
import { Secret } from '@vestibule/service/settings';
import { onTestFinished, vi } from 'vitest';
import { buildApp, composeIntrospection, loadIntrospectionConfig } from '../../src/index.js';
import { aTestCache, exactStoreClock, SHARED_TTL_MS } from './test-cache.js';
import { ISSUER, type TestService } from './test-service.js';

/** The time of instances and APIs, which passes faster when the test says so. */
export interface ShiftedTime {
  readonly clock: Clock;
  readonly monotonic: MonotonicClock;
  passSeconds(seconds: number): void;
}

/** Longer than a test takes. */
const AHEAD_MS = 7_200_000;

/** Creates a time ahead of the database, which sends no events about tokens that have expired by its own clock. */
export function shiftedTime(): ShiftedTime {
  const startMs = Date.now() - performance.now() + AHEAD_MS;
  let shiftMs = 0;
  const monotonic = () => performance.now() + shiftMs;
  return {
    clock: { nowMs: () => startMs + monotonic() },
    monotonic,
    passSeconds: (seconds) => {
      shiftMs += 1000 * seconds;
    },
  };
}

/** An instance on shifted time. */
export type ShiftedInstance = Awaited<ReturnType<typeof aShiftedInstance>>;

/** Polls that are not what a test waits for. */
const FREQUENT = { pollMs: 10, checkMs: 20 };

/** Creates an instance with a cache, a connection to Redis and keys of its own, and waits until its cache is in use. */
export async function aShiftedInstance(
  { databaseUrl, keys }: TestService,
  { clock, monotonic }: ShiftedTime,
  redisUrl: string,
) {
  const database = openDatabase({ url: databaseUrl, poolSize: 8 });
  const { keyEncryptionKeys } = keys;
  const opening = { clock, random: secureRandom };
  const dataKeys = await openDataKeys({ ...opening, store: database.dataKeys, keyEncryptionKeys });
  const { digester, encryptor } = dataKeys;
  const providerKeys = await openKeyRing({
    ...opening,
    store: database.signingKeys,
    encryptor,
    keySet: 'provider',
  });
  const stream = database.openInvalidationStream({ ...FREQUENT, monotonic, onProblem: () => undefined });
  const metrics = createMetrics('introspection');
  const opened = openServiceRedis({
    settings: { REDIS_URL: new Secret(redisUrl) },
    logger: createLogger({ level: 'silent', service: 'introspection' }),
    use: 'token_states',
    metrics,
  });
  if (opened === undefined) throw new TypeError('there is a Redis');
  const storeClock = exactStoreClock(clock);
  const refreshDigestKeys = async () => {
    await dataKeys.refresh();
    return dataKeys.digestKeyChanges();
  };
  const shared = tokenStateLevel({
    redis: opened.redis,
    clock: storeClock,
    ttlMs: SHARED_TTL_MS,
    onRefused: () => undefined,
  });
  const parts = { clock: storeClock, database, digester, keys: providerKeys, stream, monotonic };
  const cache = aTestCache({ ...parts, refreshDigestKeys }, { shared });
  const config = loadIntrospectionConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
    RATE_LIMITS_ENABLED: 'false',
  });
  const store = { database, digester, encryptor, providerKeys, clock: storeClock };
  const app = buildApp(composeIntrospection(config, store, cache), { logger: false });
  onTestFinished(async () => {
    await app.close();
    await opened.dependency.close?.();
    stream.close();
    await database.close();
  });
  await vi.waitUntil(() => cache.tagStream.position() !== undefined, { timeout: 60_000, interval: 5 });
  return { app, states: cache.states, watermarkMs: stream.watermarkMs };
}
