import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { turnsPass } from '../testing/simulated-cluster.js';
import { simulatedStream } from '../testing/simulated-stream.js';
import { simulatedTime } from '../testing/simulated-time.js';
import { aTokenFixture, ISSUER } from '../testing/token-fixture.js';
import { cachedTokenStates } from './cached-token-states.js';

/** A cache that also reads tokens of another authorization server, whose key the test withdraws. */
async function aCache() {
  const world = await aTokenFixture();
  const time = simulatedTime();
  const stream = simulatedStream(time.monotonic);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const listeners: (() => void)[] = [];
  let isPublished = true;
  let lookups = 0;
  let gate: Promise<void> | undefined;
  const cache = cachedTokenStates({
    clock: { nowMs: world.clock.nowMs, errorMs: () => 0 },
    issuer: ISSUER,
    keys: world.keys,
    authorizationServerKeys: {
      verificationKeys: async ({ kid }) => {
        lookups += 1;
        return isPublished && kid === 'theirs' ? [{ algorithm: 'ES256', key: publicKey }] : [];
      },
      isTheirs: () => false,
      onChange: (listener) => {
        listeners.push(listener);
      },
    },
    digester: world.digester,
    refreshDigestKeys: async () => 0,
    accessTokens: world.accessTokens,
    revocations: {
      statuses: async (tokens) => {
        await gate;
        return world.revocations.statuses(tokens);
      },
    },
    stream,
    monotonic: time.monotonic,
    scheduler: time.scheduler,
    sharedTtlMs: 5_000,
    limits: { entries: 100, bytes: 1e6 },
    maxQueries: 10,
  });
  stream.beat();
  stream.deliver(stream.waiting);
  await turnsPass();
  const iat = nowSeconds(world.clock);
  const claims = { iss: ISSUER, sub: 'alice', client_id: 'client', jti: 'j1', iat, exp: iat + 600 };
  const key: SigningKey = { algorithm: 'ES256', kid: 'theirs', key: privateKey };
  return {
    cache,
    token: await signJwt({ key, typ: 'at+jwt', claims }),
    own: await world.jwt(),
    lookups: () => lookups,
    withdraw: () => {
      isPublished = false;
      for (const listener of listeners) listener();
    },
    /** Holds reads of the store until the returned function is called. */
    hold: () => {
      let open: () => void = () => undefined;
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
  };
}

it('caches a token of the authorization server until its keys change, and our own tokens beyond that', async () => {
  const { cache, token, own, lookups, withdraw } = await aCache();
  for (const text of [token, own]) expect((await cache.read(text)).found).toBe(true);
  for (const text of [token, own]) expect(cache.cached(text)?.found).toBe(true);
  expect(lookups()).toBe(1);
  withdraw();
  expect(cache.cached(token)).toBeUndefined();
  expect(await cache.read(token)).toEqual({ found: false, reason: 'not_ours' });
  expect((await cache.read(own)).found).toBe(true);
});

it('does not keep a token that was verified before its key was withdrawn and read from the store after', async () => {
  const { cache, token, hold, withdraw } = await aCache();
  const release = hold();
  const reading = cache.read(token);
  await turnsPass();
  withdraw();
  const later = cache.read(token);
  release();
  expect((await reading).found).toBe(true);
  expect(await later).toEqual({ found: false, reason: 'not_ours' });
  expect(cache.cached(token)).toBeUndefined();
});
