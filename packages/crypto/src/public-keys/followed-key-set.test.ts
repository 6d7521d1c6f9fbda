import { generateKeyPairSync } from 'node:crypto';
import type { JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { signJwt } from '../jwt/sign-jwt.js';
import { verifyJwt } from '../jwt/verify-jwt.js';
import { followKeySet, KeySetUnavailableError } from './followed-key-set.js';
import { type PublicJwkSetResult, parsePublicJwks } from './public-jwk-set.js';

const FRESH_MS = 60_000;
const USABLE_MS = 1_800_000;
const INTERVAL_MS = 5_000;

const ec = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
const [K1, K2] = [ec('k1'), ec('k2')];
const RSA = { kid: 'r1', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
type Pair = typeof K1;

const jwkOf = ({ kid, publicKey }: Pair, members: object = {}): JsonValue => ({
  ...(publicKey.export({ format: 'jwk' }) as Record<string, string>),
  kid,
  ...members,
});

/** A key set whose source the test sets, at a time that the test sets. */
function fixture(...published: readonly JsonValue[]) {
  let nowMs = 0;
  let reads = 0;
  let changes = 0;
  let served: PublicJwkSetResult;
  const publish = (...keys: readonly JsonValue[]) => {
    served = parsePublicJwks({ keys });
  };
  publish(...published);
  let held: (() => void)[] | undefined;
  const followed = followKeySet({
    read: async () => {
      reads += 1;
      const result = served;
      if (held !== undefined) await new Promise<void>((resolve) => held?.push(resolve));
      return result;
    },
    monotonic: () => nowMs,
  });
  followed.onChange(() => {
    changes += 1;
  });
  const count = async (alg: string, kid?: string) => (await followed.publishedKeys({ alg, kid })).length;
  return {
    followed,
    publish,
    fail: () => {
      served = { ok: false, reason: 'the URL cannot be fetched: timeout' };
    },
    count,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** Makes reads wait; the returned function completes those under way. */
    hold: () => {
      held = [];
      return () => {
        const waiting = held ?? [];
        held = undefined;
        for (const resolve of waiting) resolve();
      };
    },
    reads: () => reads,
    changes: () => changes,
  };
}

const ok = (kid: string) => ({ alg: 'ES256', kid });

describe('followKeySet', () => {
  it('verifies with the keys of the set, which is read once for all parallel lookups', async () => {
    const { followed, reads } = fixture(jwkOf(K1));
    const key = { algorithm: 'ES256' as const, kid: 'k1', key: K1.privateKey };
    const token = await signJwt({ key, typ: 'at+jwt', claims: { sub: 'alice' } });
    const options = {
      keys: followed.publishedKeys,
      algorithms: ['ES256'],
      types: ['at+jwt'],
      maxLength: 4096,
    } as const;
    const verified = await Promise.all(Array.from({ length: 50 }, () => verifyJwt(token, options)));
    expect(verified.map(({ claims }) => claims['sub'])).toEqual(Array(50).fill('alice'));
    expect(reads()).toBe(1);
    expect(followed.size()).toBe(1);
  });

  it('stops using a withdrawn key with the next refresh, and reports the change', async () => {
    const { followed, publish, count, changes } = fixture(jwkOf(K1), jwkOf(K2));
    await followed.refresh();
    expect([await count('ES256', 'k1'), await count('ES256', 'k2'), changes()]).toEqual([1, 1, 1]);
    await followed.refresh();
    expect(changes()).toBe(1);
    publish(jwkOf(K2));
    await followed.refresh();
    expect([await count('ES256', 'k1'), await count('ES256', 'k2'), changes()]).toEqual([0, 1, 2]);
    publish();
    await followed.refresh();
    expect([await count('ES256', 'k2'), followed.size(), changes()]).toEqual([0, 0, 3]);
  });

  it('finds a new key at its first use, without a refresh', async () => {
    const { followed, publish, count, pass, reads } = fixture(jwkOf(K1));
    await followed.refresh();
    publish(jwkOf(K1), jwkOf(K2));
    pass(INTERVAL_MS);
    expect(await Promise.all(Array.from({ length: 20 }, () => count('ES256', 'k2')))).toEqual(
      Array(20).fill(1),
    );
    expect(reads()).toBe(2);
  });

  it('is read at most once per interval for unknown keys, however many are requested', async () => {
    const { followed, count, pass, reads } = fixture(jwkOf(K1));
    await followed.refresh();
    for (let second = 0; second < 30; second += 1) {
      const found = await Promise.all(Array.from({ length: 50 }, (_, n) => count('ES256', `x${n}`)));
      expect(found).toEqual(Array(50).fill(0));
      pass(1_000);
    }
    expect(reads()).toBe(1 + 5);
  });

  it('keeps the last keys for a limited time while it cannot be read, and then refuses to decide', async () => {
    const { followed, fail, count, pass, changes } = fixture(jwkOf(K1));
    await followed.refresh();
    fail();
    for (let passed = 30_000; passed < USABLE_MS; passed += 30_000) {
      pass(30_000);
      await followed.refresh();
      expect(await count('ES256', 'k1')).toBe(1);
    }
    expect([followed.size(), changes(), followed.problem()]).toEqual([
      1,
      1,
      'the URL cannot be fetched: timeout',
    ]);
    pass(30_000);
    await followed.refresh();
    await expect(followed.publishedKeys(ok('k1'))).rejects.toThrow(KeySetUnavailableError);
    // What the keys verified before is reported as outdated.
    expect([followed.size(), changes(), followed.ageMs()]).toEqual([0, 2, USABLE_MS]);
  });

  it('refuses to decide about an unknown key while it cannot be read, since the key may be new', async () => {
    const { followed, fail, publish, count, pass, reads } = fixture(jwkOf(K1));
    await followed.refresh();
    fail();
    pass(INTERVAL_MS);
    for (let lookups = 0; lookups < 10; lookups += 1)
      await expect(followed.publishedKeys(ok('k2'))).rejects.toThrow('timeout');
    expect(reads()).toBe(2);
    expect(await count('ES256', 'k1')).toBe(1);
    publish(jwkOf(K1), jwkOf(K2));
    pass(INTERVAL_MS);
    expect(await count('ES256', 'k2')).toBe(1);
    expect(followed.problem()).toBeUndefined();
  });

  it('refuses to decide before it was read for the first time', async () => {
    const { followed, fail, publish, count, pass } = fixture();
    expect(followed.ageMs()).toBe(Number.POSITIVE_INFINITY);
    fail();
    await expect(followed.publishedKeys(ok('k1'))).rejects.toThrow(KeySetUnavailableError);
    publish(jwkOf(K1));
    pass(INTERVAL_MS);
    expect(await count('ES256', 'k1')).toBe(1);
  });

  it('does not let lookups wait for a source that fails, as long as there are keys', async () => {
    const { followed, fail, count, pass, hold, reads } = fixture(jwkOf(K1));
    await followed.refresh();
    fail();
    pass(FRESH_MS);
    await followed.refresh();
    pass(INTERVAL_MS);
    const complete = hold();
    expect(await count('ES256', 'k1')).toBe(1);
    expect(reads()).toBe(3);
    complete();
  });

  it('is read again before its keys are used after a pause of the machine', async () => {
    const { followed, publish, count, pass, changes } = fixture(jwkOf(K1));
    await followed.refresh();
    publish(jwkOf(K2));
    pass(FRESH_MS);
    expect([await count('ES256', 'k1'), changes()]).toEqual([0, 2]);
    pass(USABLE_MS);
    expect([await count('ES256', 'k2'), changes()]).toEqual([1, 4]);
  });

  it('requires a kid where more than one key fits, and none where a single one does', async () => {
    const { followed, publish, count } = fixture(jwkOf(K1), jwkOf(K2), jwkOf(RSA));
    expect([await count('ES256'), await count('RS256'), await count('ES256', 'k1')]).toEqual([0, 1, 1]);
    publish(jwkOf(K1), jwkOf(K2, { use: 'enc' }));
    await followed.refresh();
    expect(await count('ES256')).toBe(1);
  });

  it('uses a key only for its own algorithm and kind, and never for a secret', async () => {
    const rsa = jwkOf(RSA, { alg: 'RS256' });
    const { count, pass, reads } = fixture(jwkOf(K1), jwkOf(K2, { key_ops: ['deriveBits'] }), rsa);
    expect(await count('RS256', 'r1')).toBe(1);
    for (const [alg, kid] of [
      ['ES256', 'r1'],
      ['RS384', 'r1'],
      ['PS256', 'r1'],
      ['RS256', 'k1'],
      ['ES384', 'k1'],
      ['ES256', 'k2'],
    ])
      expect(await count(alg ?? '', kid), `${alg} ${kid}`).toBe(0);
    const before = reads();
    pass(INTERVAL_MS);
    for (const alg of ['HS256', 'none', 'dir', '', 'es256']) expect(await count(alg, 'k1'), alg).toBe(0);
    expect(reads()).toBe(before);
  });
});
