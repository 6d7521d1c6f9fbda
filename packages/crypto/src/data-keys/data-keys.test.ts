import { frozenClock } from '@vestibule/protocol/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecryptionError } from '../jwt/decryption-error.js';
import { secureRandom } from '../random.js';
import {
  keyEncryptionKeyText,
  memoryDataKeyStore,
  openTestDataKeys,
  rotateDataKey,
} from '../testing/index.js';
import { activateDataKey, addDataKey, retireDataKey } from './data-key-rotation.js';
import { type DataKeyDependencies, openDataKeys } from './data-keys.js';
import { KeyEncryptionError, parseKeyEncryptionKeys } from './key-encryption-keys.js';
import { UnopenedDataKeysError } from './unopened-data-keys.js';

const associatedData = { table: 'client', column: 'secret_sealed', row: 'c1' };

function dependencies(changes: Partial<DataKeyDependencies> = {}) {
  return {
    store: memoryDataKeyStore(),
    keyEncryptionKeys: parseKeyEncryptionKeys(keyEncryptionKeyText('first')),
    clock: frozenClock(),
    random: secureRandom,
    ...changes,
  };
}

describe('openDataKeys', () => {
  it('creates one active key of each purpose if there are none, and stores no key in clear', async () => {
    const store = memoryDataKeyStore();
    await openDataKeys(dependencies({ store }));
    expect(store.rows.map(({ purpose, state }) => [purpose, state])).toEqual([
      ['seal', 'active'],
      ['digest', 'active'],
    ]);
    for (const { wrapped } of store.rows) expect(wrapped).toMatch(/^[\w-]{16}\.[\w-]{43}\.[\w-]{22}$/);
  });

  it('lets any number of processes start in parallel, all of which get the same keys', async () => {
    const store = memoryDataKeyStore();
    const started = await Promise.all(Array.from({ length: 8 }, () => openDataKeys(dependencies({ store }))));
    expect(store.rows).toHaveLength(2);
    const [one, ...others] = started;
    const record = await one?.encryptor.encrypt('secret', associatedData);
    for (const other of others) {
      expect(await other.encryptor.open(record ?? '', associatedData)).toBe('secret');
      expect(other.digester.digest('access-token', 'x')).toEqual(one?.digester.digest('access-token', 'x'));
    }
  });

  it('uses the keys of the first process if a parallel start saw none', async () => {
    const store = memoryDataKeyStore();
    const winner = await openDataKeys(dependencies({ store }));
    const notCalled = () => expect.fail('wrote past insertFirst');
    const readings = [[]];
    const late = { ...store, list: async () => readings.shift() ?? store.list() };
    const loser = await openDataKeys(
      dependencies({ store: { ...late, insert: notCalled, update: notCalled } }),
    );
    expect(store.rows).toHaveLength(2);
    expect(
      await loser.encryptor.open(await winner.encryptor.encrypt('x', associatedData), associatedData),
    ).toBe('x');
  });

  it('refuses to start under another key-encryption key, and names no key', async () => {
    const store = memoryDataKeyStore();
    await openDataKeys(dependencies({ store }));
    const keyEncryptionKeys = parseKeyEncryptionKeys(keyEncryptionKeyText('other'));
    const opening = openDataKeys(dependencies({ store, keyEncryptionKeys }));
    await expect(opening).rejects.toThrow(KeyEncryptionError);
    await expect(opening).rejects.toThrow('a data key is not wrapped under any of the key-encryption keys');
  });

  // Otherwise an attacker who can write the table could turn a digest key, which many processes use, into an encryption
  // key.
  it('refuses a wrapped key that was moved to another row or given another purpose', async () => {
    const store = memoryDataKeyStore();
    await openDataKeys(dependencies({ store }));
    await addDataKey(dependencies({ store }), 'seal');
    const [encrypt, digest, otherEncryption] = store.rows;
    if (encrypt === undefined || digest === undefined || otherEncryption === undefined)
      throw new Error('no keys');
    for (const forged of [
      { ...encrypt, wrapped: digest.wrapped },
      { ...encrypt, wrapped: otherEncryption.wrapped },
      { ...encrypt, purpose: 'digest' as const },
    ]) {
      await store.update(forged);
      await expect(openDataKeys(dependencies({ store }))).rejects.toThrow(KeyEncryptionError);
    }
  });

  it('keeps its keys if reading them again fails', async () => {
    const store = memoryDataKeyStore();
    let isDown = false;
    const failing = {
      ...store,
      list: async () => {
        if (isDown) throw new Error('store is down');
        return store.list();
      },
    };
    const keys = await openDataKeys(dependencies({ store: failing }));
    isDown = true;
    await expect(keys.refresh()).rejects.toThrow('store is down');
    expect(await keys.encryptor.open(await keys.encryptor.encrypt('x', associatedData), associatedData)).toBe(
      'x',
    );
    isDown = false;
    await keys.refresh();
  });

  it('shares a read among parallel refreshes, which starts after each of them', async () => {
    const store = memoryDataKeyStore();
    let readings = 0;
    const counting = {
      ...store,
      list: async () => {
        readings += 1;
        return store.list();
      },
    };
    const keys = await openDataKeys(dependencies({ store: counting }));
    readings = 0;
    await Promise.all([keys.refresh(), keys.refresh(), keys.refresh()]);
    expect(readings).toBe(2);
    await keys.refresh();
    expect(readings).toBe(3);
  });

  it('has after a refresh every key that was stored before the call, even if another refresh was under way', async () => {
    const store = memoryDataKeyStore();
    let underWay: (() => void) | undefined;
    let isSlow = false;
    const slow = {
      ...store,
      list: async () => {
        const rows = [...(await store.list())];
        if (isSlow) await new Promise<void>((resolve) => (underWay = resolve));
        return rows;
      },
    };
    const keys = await openDataKeys(dependencies({ store: slow }));
    isSlow = true;
    const earlier = keys.refresh();
    while (underWay === undefined) await Promise.resolve();
    isSlow = false;
    await addDataKey(dependencies({ store }), 'digest');
    const later = keys.refresh();
    underWay();
    await Promise.all([earlier, later]);
    expect(keys.digester.availableDigests('access-token', 'x')).toHaveLength(2);
  });

  it('counts the reads that found other digest keys, and no others', async () => {
    const store = memoryDataKeyStore();
    const keys = await openDataKeys(dependencies({ store }));
    const changesAfter = async (change: () => Promise<unknown>) => {
      await change();
      await keys.refresh();
      return keys.digestKeyChanges();
    };
    expect(await changesAfter(async () => undefined)).toBe(0);
    expect(await changesAfter(() => addDataKey(dependencies({ store }), 'seal'))).toBe(0);
    expect(await changesAfter(() => addDataKey(dependencies({ store }), 'digest'))).toBe(1);
    expect(await changesAfter(async () => undefined)).toBe(1);
    const pending = store.rows.find(({ purpose, state }) => purpose === 'digest' && state === 'pending');
    if (pending === undefined) throw new Error('no pending key');
    expect(await changesAfter(() => store.update({ ...pending, state: 'retired' }))).toBe(2);
  });
});

describe('a key that cannot be decrypted', () => {
  /** Open keys, and another process that adds keys which they cannot decrypt. */
  async function createForeignKeyFixture() {
    const store = memoryDataKeyStore();
    const clock = frozenClock();
    const own = { ...dependencies({ store }), clock };
    const keyEncryptionKeys = parseKeyEncryptionKeys(keyEncryptionKeyText('other'));
    return { store, own, foreign: { ...own, keyEncryptionKeys, clock }, keys: await openDataKeys(own) };
  }

  it('is listed, while the other keys are kept and reread', async () => {
    const { foreign, own, keys } = await createForeignKeyFixture();
    const { id } = await addDataKey(foreign, 'digest');
    await addDataKey(own, 'digest');
    await keys.refresh();
    expect(keys.unopened()).toEqual([{ id, purpose: 'digest', state: 'pending' }]);
    expect([keys.digester.availableDigests('access-token', 'x').length, keys.digestKeyChanges()]).toEqual([
      2, 1,
    ]);
  });

  it('prevents a negative lookup while a record may be stored under it', async () => {
    const { foreign, keys } = await createForeignKeyFixture();
    await addDataKey(foreign, 'seal');
    await keys.refresh();
    const look = () => keys.digester.find(async () => undefined);
    expect(await look()).toBe(undefined);
    const { id } = await addDataKey(foreign, 'digest');
    await keys.refresh();
    await expect(look()).rejects.toBeInstanceOf(KeyEncryptionError);
    foreign.clock.advanceSeconds(60);
    await retireDataKey(foreign, id);
    await keys.refresh();
    expect(await look()).toBe(undefined);
    expect(keys.unopened().map(({ purpose, state }) => [purpose, state])).toEqual([
      ['seal', 'pending'],
      ['digest', 'retired'],
    ]);
  });

  it('prevents a process from starting, whether or not the key is in use', async () => {
    const { own, foreign } = await createForeignKeyFixture();
    await addDataKey(foreign, 'digest');
    await expect(openDataKeys(own)).rejects.toThrow(UnopenedDataKeysError);
  });

  it('is not used for writing: the previous key, which the other processes have, is used instead', async () => {
    const { own, foreign, keys } = await createForeignKeyFixture();
    const encryptedBefore = keys.currentDataEncryptionKeyId();
    const before = keys.digester.digest('access-token', 'x');
    for (const purpose of ['seal', 'digest'] as const) await rotateDataKey(foreign, purpose);
    await keys.refresh();
    expect(keys.currentDataEncryptionKeyId()).toBe(encryptedBefore);
    expect(keys.digester.digest('access-token', 'x')).toEqual(before);
    expect(await keys.encryptor.open(await keys.encryptor.encrypt('x', associatedData), associatedData)).toBe(
      'x',
    );
    const { id } = await addDataKey(own, 'digest');
    own.clock.advanceSeconds(60);
    await activateDataKey(own, id);
    await keys.refresh();
    expect(keys.digester.digest('access-token', 'x')).not.toEqual(before);
    expect(keys.digester.availableDigests('access-token', 'x')).toContainEqual(before);
  });

  it('fails the refresh if the key is active and the previous key is retired', async () => {
    const { store, foreign, keys } = await createForeignKeyFixture();
    const before = store.rows.find(({ purpose }) => purpose === 'digest');
    await rotateDataKey(foreign, 'digest');
    await keys.refresh();
    foreign.clock.advanceSeconds(60);
    await retireDataKey(foreign, before?.id ?? '');
    await expect(keys.refresh()).rejects.toThrow(UnopenedDataKeysError);
  });

  it('refuses to decrypt records that are encrypted under it', async () => {
    const { foreign, keys } = await createForeignKeyFixture();
    await rotateDataKey(foreign, 'seal');
    const [, , key] = await foreign.store.list();
    const record = `v1.${key?.id}.${'A'.repeat(16)}.${'A'.repeat(6)}.${'A'.repeat(22)}`;
    await expect(keys.encryptor.open(record, associatedData)).rejects.toThrow(UnopenedDataKeysError);
  });

  it('is reported as an error of the wrapping key store if that store fails', async () => {
    const store = memoryDataKeyStore();
    const own = dependencies({ store });
    let isDown = false;
    const keyEncryptionKeys = {
      ...own.keyEncryptionKeys,
      unwrap: (...requested: Parameters<typeof own.keyEncryptionKeys.unwrap>) =>
        isDown
          ? Promise.reject(new Error('key service is down'))
          : own.keyEncryptionKeys.unwrap(...requested),
    };
    const keys = await openDataKeys({ ...own, keyEncryptionKeys });
    await addDataKey(own, 'digest');
    isDown = true;
    await expect(keys.refresh()).rejects.toThrow('key service is down');
    expect(keys.unopened()).toEqual([]);
  });
});

describe('encryptor', () => {
  it('decrypts every text that it encrypted', async () => {
    const { encryptor } = await openTestDataKeys();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (text) => {
        expect(await encryptor.open(await encryptor.encrypt(text, associatedData), associatedData)).toBe(
          text,
        );
      }),
    );
  });

  it('writes v1, the data key id, and a new initialization vector each time', async () => {
    const { encryptor } = await openTestDataKeys();
    const [a, b] = [
      await encryptor.encrypt('same', associatedData),
      await encryptor.encrypt('same', associatedData),
    ];
    for (const record of [a, b])
      expect(record).toMatch(/^v1\.[A-Za-z0-9]{22}\.[\w-]{16}\.[\w-]{6}\.[\w-]{22}$/);
    expect(a.split('.')[1]).toBe(b.split('.')[1]);
    expect(a.split('.')[2]).not.toBe(b.split('.')[2]);
  });

  // Otherwise an attacker who can write rows could copy the secret of one client to another one, and read it there.
  it('decrypts a record only in its own table, column and row', async () => {
    const { encryptor } = await openTestDataKeys();
    const record = await encryptor.encrypt('secret', associatedData);
    const otherPlaces = [
      { ...associatedData, table: 'earlier_client_secret' },
      { ...associatedData, column: 'registration_token_sealed' },
      { ...associatedData, row: 'c2' },
      { ...associatedData, row: '' },
      { table: 'client', column: 'secret_sealed","c1', row: '' },
      { table: associatedData.column, column: associatedData.table, row: associatedData.row },
    ];
    for (const other of otherPlaces)
      await expect(encryptor.open(record, other)).rejects.toThrow(DecryptionError);
  });

  it('distinguishes associated data whatever their parts contain', async () => {
    const { encryptor } = await openTestDataKeys();
    const [a, b] = [
      { table: 'a', column: 'b.c', row: 'd' },
      { table: 'a.b', column: 'c', row: 'd' },
    ];
    await expect(encryptor.open(await encryptor.encrypt('x', a), b)).rejects.toThrow(DecryptionError);
  });

  it('decrypts no record with a changed, missing or additional character', async () => {
    const { encryptor } = await openTestDataKeys();
    const record = await encryptor.encrypt('a secret of some length', associatedData);
    const changed = [...record].flatMap((character, index) => {
      const replace = (other: string) => record.slice(0, index) + other + record.slice(index + 1);
      return [replace(character === 'A' ? 'B' : 'A'), replace(''), replace('.'), record.slice(0, index)];
    });
    for (const text of [
      ...changed,
      `${record}A`,
      `${record}.`,
      `${record}=`,
      ` ${record}`,
      '',
      'v1',
      'v1.',
      '....',
    ]) {
      if (text === record) continue;
      await expect(encryptor.open(text, associatedData), text).rejects.toThrow(DecryptionError);
    }
  });

  it('accepts no shorter authentication tag', async () => {
    const { encryptor } = await openTestDataKeys();
    const [version, id, iv, ciphertext, tag = ''] = (await encryptor.encrypt('secret', associatedData)).split(
      '.',
    );
    for (const bytes of [4, 8, 12, 15]) {
      const short = Buffer.from(tag, 'base64url').subarray(0, bytes).toString('base64url');
      await expect(
        encryptor.open([version, id, iv, ciphertext, short].join('.'), associatedData),
      ).rejects.toThrow(DecryptionError);
    }
  });

  it('quotes nothing of a record or a text in its errors', async () => {
    const { encryptor } = await openTestDataKeys();
    const record = await encryptor.encrypt('secret', associatedData);
    const failure: unknown = await encryptor
      .open(record, { ...associatedData, row: 'c2' })
      .catch((error: unknown) => error);
    expect(String(failure)).toBe('DecryptionError: record does not open');
  });

  it('reads the keys once more for an unknown key', async () => {
    const store = memoryDataKeyStore();
    const [early, clock] = [await openDataKeys(dependencies({ store })), frozenClock()];
    clock.advanceSeconds(60);
    const other = await openDataKeys(dependencies({ clock }));
    const foreign = await other.encryptor.encrypt('x', associatedData);
    await expect(early.encryptor.open(foreign, associatedData)).rejects.toThrow(
      'record names an unknown key',
    );
  });

  it('refuses to encrypt anything that it could not return: a lone surrogate, or a value that is not a string', async () => {
    const { encryptor } = await openTestDataKeys();
    await expect(encryptor.encrypt('\ud800', associatedData)).rejects.toThrow(TypeError);
    await expect(encryptor.encrypt(undefined as never, associatedData)).rejects.toThrow(TypeError);
  });
});
