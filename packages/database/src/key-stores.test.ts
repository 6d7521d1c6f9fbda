import type { WrappedDataKey } from '@vestibule/crypto/data-keys';
import type { StoredSigningKey } from '@vestibule/crypto/signing-keys';
import { describe, expect, it } from 'vitest';
import { after, NOW, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

function aDataKey(deviations: Partial<WrappedDataKey> = {}): WrappedDataKey {
  return {
    id: 'one',
    purpose: 'seal',
    state: 'active',
    wrapped: 'wrapped',
    keyEncryptionKeyId: 'kek',
    createdAtMs: NOW * 1000 + 123,
    ...deviations,
  };
}

function aSigningKey(deviations: Partial<StoredSigningKey> = {}): StoredSigningKey {
  return {
    kid: 'one',
    keySet: 'provider',
    use: 'sig',
    algorithm: 'ES256',
    state: 'active',
    publicJwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
    privateJwkEncrypted: 'v1.sealed',
    createdAt: NOW,
    ...deviations,
  };
}

describe('dataKeyStore', () => {
  it('lists every key, oldest first, as it was stored', async () => {
    const { one, other } = await twoProcesses();
    const keys = [
      aDataKey({ id: 'z', state: 'retired', createdAtMs: 1 }),
      aDataKey({ id: 'a', state: 'pending', createdAtMs: 2 }),
      aDataKey({ id: 'm', purpose: 'digest', createdAtMs: 3, activatedAtMs: 4_567 }),
    ];
    for (const key of keys.toReversed()) await one.dataKeys.insert(key);
    expect(await other.dataKeys.list()).toStrictEqual(keys);
  });

  it('stores one key when several processes start at the same time', async () => {
    const { one, other } = await twoProcesses();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : other).dataKeys.insertFirst(aDataKey({ id: `${index}` })),
    );
    const winners = (await Promise.all(attempts)).flatMap((won, index) => (won ? [`${index}`] : []));
    expect(winners).toHaveLength(1);
    expect((await one.dataKeys.list()).map(({ id }) => id)).toEqual(winners);
    expect(await one.dataKeys.insertFirst(aDataKey({ id: 'd', purpose: 'digest' }))).toBe(true);
  });

  it('makes the active key pending when another one becomes active, in one step', async () => {
    const { one, other } = await twoProcesses();
    await one.dataKeys.insert(aDataKey({ id: 'old' }));
    await one.dataKeys.insert(aDataKey({ id: 'new', state: 'pending' }));
    await one.dataKeys.insert(aDataKey({ id: 'digest', purpose: 'digest' }));
    const changes = { wrapped: 'again', keyEncryptionKeyId: 'other', activatedAtMs: 5_678 };
    await one.dataKeys.update(aDataKey({ id: 'new', ...changes }));
    const keys = await other.dataKeys.list();
    expect(keys.map(({ id, state, wrapped, activatedAtMs }) => [id, state, wrapped, activatedAtMs])).toEqual([
      ['digest', 'active', 'wrapped', undefined],
      ['new', 'active', 'again', 5_678],
      ['old', 'pending', 'wrapped', undefined],
    ]);
    await one.dataKeys.insert(aDataKey({ id: 'newest' }));
    const active = (await other.dataKeys.list()).filter(({ state }) => state === 'active');
    expect(active.map(({ id }) => id)).toEqual(['digest', 'newest']);
  });

  it('has one active key per purpose after parallel rotations', async () => {
    const { one, other } = await twoProcesses();
    const rotations = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? one : other).dataKeys.insert(aDataKey({ id: `${index}` })),
    );
    await Promise.allSettled(rotations);
    const active = (await one.dataKeys.list()).filter(({ state }) => state === 'active');
    expect(active).toHaveLength(1);
  });

  it('rejects a change of a key that does not exist', async () => {
    const { one } = await twoProcesses();
    await one.dataKeys.insert(aDataKey());
    await expect(one.dataKeys.update(aDataKey({ id: 'unknown' }))).rejects.toThrow();
    expect(await one.dataKeys.list()).toStrictEqual([aDataKey()]);
  });
});

describe('signingKeyStore', () => {
  it('lists the keys of a set that have not expired, oldest first, as they were stored', async () => {
    const { one, other } = await twoProcesses();
    const complete = aSigningKey({
      kid: 'z',
      state: 'retired',
      createdAt: after(-9),
      activatedAt: after(-8),
      retiredAt: after(-7),
      expiresAt: after(1),
    });
    await one.signingKeys.insert(aSigningKey());
    await one.signingKeys.insert(complete);
    await one.signingKeys.insert(aSigningKey({ kid: 'gone', state: 'retired', expiresAt: NOW }));
    await one.signingKeys.insert(aSigningKey({ kid: 'federation', keySet: 'federation' }));
    expect(await other.signingKeys.list('provider', NOW)).toStrictEqual([complete, aSigningKey()]);
    expect(await other.signingKeys.list('provider', after(1))).toStrictEqual([aSigningKey()]);
  });

  it('knows the kid of every key that was ever stored, also after plain SQL deleted it', async () => {
    const { url, one, other } = await twoProcesses();
    await one.signingKeys.insert(aSigningKey());
    await one.signingKeys.insert(aSigningKey({ kid: 'pending', state: 'pending' }));
    await one.signingKeys.insert(aSigningKey({ kid: 'federation', keySet: 'federation', state: 'pending' }));
    const ends = { state: 'retired', retiredAt: NOW, expiresAt: NOW } as const;
    await one.signingKeys.insert(aSigningKey({ kid: 'withdrawn', ...ends }));
    const every = async () => (await other.signingKeys.listEveryKid()).toSorted();
    const kids = ['federation', 'one', 'pending', 'withdrawn'];
    expect(await every()).toEqual(kids);
    expect((await one.cleanUp({ now: NOW })).signing_key).toBe(1);
    expect(await every()).toEqual(kids);
    await query(url, `DELETE FROM signing_key WHERE kid <> 'one'`);
    expect(await every()).toEqual(kids);
    await one.signingKeys.insert(aSigningKey({ kid: 'withdrawn', ...ends }));
    expect((await one.cleanUp({ now: NOW })).signing_key).toBe(1);
    expect(await every()).toEqual(kids);
  });

  it('stores one key for each set, use and algorithm when several processes start at the same time', async () => {
    const { one, other } = await twoProcesses();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : other).signingKeys.insertFirst(aSigningKey({ kid: `${index}` })),
    );
    expect((await Promise.all(attempts)).filter((won) => won)).toHaveLength(1);
    const others = [{ keySet: 'federation' }, { use: 'enc' }, { algorithm: 'RS256' }] as const;
    for (const deviation of others) {
      const key = aSigningKey({ kid: JSON.stringify(deviation), ...deviation });
      expect(await one.signingKeys.insertFirst(key)).toBe(true);
    }
  });

  it('retires the active key when another one becomes active, in one step, and keeps it published', async () => {
    const { one, other } = await twoProcesses();
    await one.signingKeys.insert(aSigningKey({ kid: 'old' }));
    await one.signingKeys.insert(aSigningKey({ kid: 'pending', state: 'pending', createdAt: after(1) }));
    await one.signingKeys.update(aSigningKey({ kid: 'pending', createdAt: after(1), activatedAt: after(5) }));
    expect(await other.signingKeys.list('provider', after(9))).toStrictEqual([
      aSigningKey({ kid: 'old', state: 'retired', retiredAt: after(5) }),
      aSigningKey({ kid: 'pending', createdAt: after(1), activatedAt: after(5) }),
    ]);
  });
});
