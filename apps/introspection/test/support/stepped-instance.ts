import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { openDatabase, openStore } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { expect, onTestFinished, vi } from 'vitest';
import { buildApp, composeIntrospection, loadIntrospectionConfig } from '../../src/index.js';
import { chaosProxy } from './chaos-proxy.js';
import { aTestCache } from './test-cache.js';
import { ISSUER, type TestService } from './test-service.js';

/**
 * Creates an instance with a cache and a store of its own, whose time passes when the test says so, and whose
 * invalidation events arrive over a connection that the test can cut while the database keeps responding.
 */
export async function aSteppedInstance({ databaseUrl, keys }: TestService) {
  const proxy = await chaosProxy(databaseUrl);
  const store = openStore({
    connection: { url: databaseUrl, poolSize: 8 },
    keyEncryptionKeys: keys.keyEncryptionKeys,
    clock: systemClock,
    random: secureRandom,
    onProblem: () => undefined,
  });
  await store.opened;
  const listening = openDatabase({ url: proxy.url, poolSize: 2 });
  let nowMs = 0;
  let isConnected = true;
  const monotonic = () => nowMs;
  const stream = listening.openInvalidationStream({ monotonic, onProblem: () => undefined });
  let keyReadings = 0;
  const { database, digester, providerKeys, clock } = store;
  const cache = aTestCache({
    clock,
    database,
    digester,
    keys: providerKeys,
    refreshDigestKeys: async () => {
      const changes = await store.refreshDigestKeys();
      keyReadings += 1;
      return changes;
    },
    stream,
    monotonic,
  });
  const { states } = cache;
  const config = loadIntrospectionConfig({
    BASE_URL: ISSUER,
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
  });
  const app = buildApp(composeIntrospection(config, store, cache), { logger: false });
  onTestFinished(async () => {
    await app.close();
    stream.close();
    await listening.close();
    await store.close();
  });
  /** Lets time pass, and advances the watermark unless the connection of the stream was cut. */
  const pass = async (ms: number) => {
    nowMs += ms;
    if (isConnected) await vi.waitUntil(stream.catchUp, 60_000);
  };
  const receivesEvents = (isHeard: boolean) =>
    vi.waitFor(() => expect(states.log.isCurrent(nowMs)).toBe(isHeard), { timeout: 60_000, interval: 5 });
  await receivesEvents(true);
  return {
    app,
    store,
    states,
    pass,
    get keyReadings() {
      return keyReadings;
    },
    loseInvalidations: async () => {
      isConnected = false;
      proxy.refuse();
      await receivesEvents(false);
    },
  };
}
