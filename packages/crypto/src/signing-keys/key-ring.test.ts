import { inspect } from 'node:util';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { decryptJwt } from '../jwt/decrypt-jwt.js';
import { DecryptionError } from '../jwt/decryption-error.js';
import { encryptJwt } from '../jwt/encrypt-jwt.js';
import { signJwt } from '../jwt/sign-jwt.js';
import { verifyJwt } from '../jwt/verify-jwt.js';
import { parsePublicJwks } from '../public-keys/public-jwk-set.js';
import { selectEncryptionKey } from '../public-keys/select-public-keys.js';
import { openTestKeyRing } from '../testing/index.js';
import {
  cachedSeconds,
  es256,
  keyRingFixture,
  publishedSeconds,
  sign,
  verify,
} from '../testing/key-ring-fixture.js';
import { openKeyRing, openPrivateJwks } from './key-ring.js';
import { KeyStateError } from './key-state-error.js';
import {
  activateSigningKey,
  addSigningKey,
  ensureSigningKey,
  retireSigningKey,
} from './signing-key-management.js';

const notCalled = () => expect.fail('wrote past insertFirst');

describe('a key set at its first start', () => {
  it('gets one active key, however many processes start', async () => {
    const { store, dependencies } = await keyRingFixture();
    const created = await Promise.all(Array.from({ length: 5 }, () => ensureSigningKey(dependencies, es256)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await ensureSigningKey(dependencies, es256)).toBe(false);
    expect(store.rows).toHaveLength(1);
    expect(store.rows[0]).toMatchObject({ ...es256, state: 'active' });
  });

  it('changes nothing if another process stored the first key in the meantime', async () => {
    const { store, dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const before = structuredClone(store.rows);
    const late = { ...store, list: async () => [], insert: notCalled, update: notCalled };
    expect(await ensureSigningKey({ ...dependencies, store: late }, es256)).toBe(false);
    expect(store.rows).toEqual(before);
  });

  it('separates purposes: set, use and algorithm', async () => {
    const { store, dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    for (const purpose of [
      { ...es256, keySet: 'federation' as const },
      { ...es256, algorithm: 'ES384' as const },
      { keySet: 'provider', use: 'enc', algorithm: 'ECDH-ES' } as const,
    ])
      expect(await ensureSigningKey(dependencies, purpose)).toBe(true);
    expect(store.rows).toHaveLength(4);
  });

  it('stores no private key in clear, and none encrypted for another row', async () => {
    const { store, dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    await addSigningKey(dependencies, es256);
    const [row, other] = store.rows;
    if (row === undefined || other === undefined) throw new Error('no row');
    expect(Object.keys(row.publicJwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(row.privateJwkEncrypted).toMatch(/^v1\./);
    await store.update({ ...row, privateJwkEncrypted: other.privateJwkEncrypted });
    await expect(openKeyRing({ ...dependencies, keySet: 'provider' })).rejects.toThrow(DecryptionError);
  });

  it.each(ASYMMETRIC_ALGORITHMS)('signs and verifies with %s', async (algorithm) => {
    const ring = await openTestKeyRing([algorithm]);
    const token = await signJwt({ key: ring.signingKey(algorithm), typ: 'JWT', claims: { sub: 'alice' } });
    const options = { keys: ring.verificationKeys, algorithms: [algorithm], types: ['JWT'], maxLength: 4096 };
    expect((await verifyJwt(token, options)).claims).toEqual({ sub: 'alice' });
    expect(parsePublicJwks(ring.publicJwks())).toMatchObject({ ok: true });
  });

  it('decrypts what was encrypted to a published key', async () => {
    const { dependencies, open } = await keyRingFixture();
    for (const algorithm of ['RSA-OAEP-256', 'ECDH-ES'] as const)
      await ensureSigningKey(dependencies, { keySet: 'provider', use: 'enc', algorithm });
    const ring = await open();
    const published = parsePublicJwks(ring.publicJwks());
    if (!published.ok) throw new Error(published.reason);
    for (const algorithm of ['RSA-OAEP-256', 'ECDH-ES'] as const) {
      const key = await selectEncryptionKey(published.jwks, algorithm);
      if (key === undefined) throw new Error('no key');
      const { kid: _, ...withoutKid } = key;
      for (const recipient of [key, withoutKid]) {
        const token = await encryptJwt('a.b.c', { key: recipient, encryption: 'A256GCM' });
        const options = { algorithms: [algorithm], encryptions: ['A256GCM'] as const, maxLength: 4096 };
        expect(await decryptJwt(token, { ...options, keys: ring.decryptionKeys })).toBe('a.b.c');
      }
    }
  });
});

describe('publicJwks', () => {
  it('contains public members only, with kid, use and alg, whatever else the row has', async () => {
    const { store, dependencies, open } = await keyRingFixture();
    for (const algorithm of ['ES256', 'RS256', 'EdDSA'] as const)
      await ensureSigningKey(dependencies, { ...es256, algorithm });
    await ensureSigningKey(dependencies, { keySet: 'federation', use: 'sig', algorithm: 'ES256' });
    for (const row of store.rows)
      await store.update({ ...row, publicJwk: { ...row.publicJwk, d: 'x', k: 'x', ext: true } });
    const { keys } = (await open()).publicJwks();
    expect(keys.map((key) => Object.keys(key).sort().join())).toEqual([
      'alg,crv,kid,kty,use,x,y',
      'alg,e,kid,kty,n,use',
      'alg,crv,kid,kty,use,x',
    ]);
    expect(keys.map(({ alg, use }) => [alg, use])).toEqual([
      ['ES256', 'sig'],
      ['RS256', 'sig'],
      ['EdDSA', 'sig'],
    ]);
  });

  it('does not print private keys with the ring', async () => {
    const { dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const [jwk] = await openPrivateJwks({ ...dependencies, keySet: 'provider' });
    expect(jwk).toMatchObject({ alg: 'ES256', use: 'sig', d: expect.any(String) });
    const ring = await open();
    const printed = inspect({ ring, key: ring.signingKey('ES256') }, { depth: 10, showHidden: true });
    expect(printed).not.toContain(jwk?.d);
  });
});

describe('the private keys of a set', () => {
  it('begin with the signing key, also if it was activated in the same second as the previous one', async () => {
    const { dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const { kid } = await addSigningKey(dependencies, es256);
    await addSigningKey(dependencies, es256);
    await activateSigningKey(dependencies, { keySet: 'provider', kid, publishedSeconds, atOnce: true });
    const keys = await openPrivateJwks({ ...dependencies, keySet: 'provider' });
    expect(keys).toHaveLength(3);
    expect(keys[0]?.kid).toBe(kid);
  });
});

describe('looking up keys', () => {
  it('reports that there is no active key for an algorithm', async () => {
    const ring = await openTestKeyRing(['ES256']);
    for (const algorithm of ['RS256', 'EdDSA'] as const)
      expect(() => ring.signingKey(algorithm)).toThrow(KeyStateError);
  });

  it('never returns a key for another algorithm, or for a token without a kid', async () => {
    const ring = await openTestKeyRing(['ES256', 'RS256']);
    const { kid } = ring.signingKey('RS256');
    expect(await ring.verificationKeys({ alg: 'RS256', kid })).toHaveLength(1);
    for (const alg of ['PS256', 'HS256', 'none', 'ES256'])
      expect(await ring.verificationKeys({ alg, kid })).toEqual([]);
    expect(await ring.verificationKeys({ alg: 'RS256', kid: undefined })).toEqual([]);
    expect(await ring.decryptionKeys({ alg: 'RS256', kid })).toEqual([]);
  });

  // Anyone can send tokens with invented key ids.
  it('reads the store at most once in each interval for unknown key ids', async () => {
    const { clock, dependencies, open, readings } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const ring = await open();
    const start = readings();
    const unknown = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          ring.verificationKeys({ alg: 'ES256', kid: `x${index}` }),
        ),
      );
    await unknown(1000);
    await unknown(1000);
    expect(readings() - start).toBe(1);
    clock.advanceSeconds(1);
    await unknown(1000);
    expect(readings() - start).toBe(2);
    await ring.verificationKeys({ alg: 'ES256', kid: ring.signingKey('ES256').kid });
    expect(readings() - start).toBe(2);
  });

  it('finds a key a second after it began to sign, even if invented key ids arrive all the time', async () => {
    const { clock, dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const ring = await open();
    await ring.verificationKeys({ alg: 'ES256', kid: 'invented' });
    const { kid } = await addSigningKey(dependencies, es256);
    await activateSigningKey(dependencies, { keySet: 'provider', kid, publishedSeconds, atOnce: true });
    clock.advanceSeconds(1);
    await ring.verificationKeys({ alg: 'ES256', kid: 'invented too' });
    expect(await ring.verificationKeys({ alg: 'ES256', kid })).toHaveLength(1);
  });

  it('never uses a read that started before the call: calls during a read share the next one', async () => {
    const { dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const held: (() => void)[] = [];
    let isHeld = false;
    const store = {
      ...dependencies.store,
      list: async (...args: Parameters<typeof dependencies.store.list>) => {
        const stored = await dependencies.store.list(...args);
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        return stored;
      },
    };
    const ring = await openKeyRing({ ...dependencies, store, keySet: 'provider' });
    isHeld = true;
    const early = ring.refresh();
    await expect.poll(() => held.length).toBe(1);
    const { kid } = await addSigningKey(dependencies, es256);
    const late = [ring.refresh(), ring.refresh()];
    isHeld = false;
    held[0]?.();
    await Promise.all([early, ...late]);
    expect(ring.publicJwks().keys.map((key) => key.kid)).toContain(kid);
    expect(held).toHaveLength(1);
  });

  it('keeps its keys if reading them again fails, and does not decide about others until that succeeds', async () => {
    const { clock, dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    let isDown = false;
    const store = {
      ...dependencies.store,
      list: async (...args: Parameters<typeof dependencies.store.list>) => {
        if (isDown) throw new Error('store is down');
        return dependencies.store.list(...args);
      },
    };
    const ring = await openKeyRing({ ...dependencies, store, keySet: 'provider' });
    isDown = true;
    await expect(ring.refresh()).rejects.toThrow('store is down');
    // Also when the interval between two reads for unknown key ids has not passed: the key may exist.
    for (let lookups = 0; lookups < 3; lookups += 1)
      await expect(ring.verificationKeys({ alg: 'ES256', kid: 'unknown' })).rejects.toThrow('store is down');
    await verify(ring, await sign(ring));
    isDown = false;
    clock.advanceSeconds(1);
    expect(await ring.verificationKeys({ alg: 'ES256', kid: 'unknown' })).toEqual([]);
  });

  it('knows every key that it ever held, of every set and state', async () => {
    const { clock, dependencies, open } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const others = [
      await addSigningKey(dependencies, es256),
      await addSigningKey(dependencies, { ...es256, keySet: 'federation' }),
      await addSigningKey(dependencies, { keySet: 'provider', use: 'enc', algorithm: 'ECDH-ES' }),
    ];
    const ring = await open();
    const { kid: withdrawn = '' } = ring.signingKey('ES256');
    const change = {
      keySet: 'provider',
      kid: others[0]?.kid ?? '',
      publishedSeconds: 0,
      atOnce: true,
    } as const;
    await activateSigningKey(dependencies, change);
    clock.advanceSeconds(1);
    const reopened = await open();
    for (const each of [ring, reopened]) {
      await each.refresh();
      expect(each.publicJwks().keys.map(({ kid }) => kid)).not.toContain(withdrawn);
      const held = [withdrawn, ...others.map(({ kid }) => kid), 'unknown'].map(each.hasEverHeld);
      expect(held).toEqual([true, true, true, true, false]);
    }
  });

  it('decrypts only the private key of an active key, and once', async () => {
    const { dependencies } = await keyRingFixture();
    await ensureSigningKey(dependencies, es256);
    const retired = await addSigningKey(dependencies, es256);
    await retireSigningKey(dependencies, {
      keySet: 'provider',
      kid: retired.kid,
      publishedSeconds,
      cachedSeconds,
    });
    await addSigningKey(dependencies, es256);
    let opened = 0;
    const encryptor: typeof dependencies.encryptor = {
      ...dependencies.encryptor,
      open: (...args) => {
        opened += 1;
        return dependencies.encryptor.open(...args);
      },
    };
    const ring = await openKeyRing({ ...dependencies, encryptor, keySet: 'provider' });
    await ring.refresh();
    await ring.refresh();
    expect(opened).toBe(1);
  });
});
