import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { secureRandom } from '../random.js';
import { KeyStateError } from '../signing-keys/key-state-error.js';
import { keyEncryptionKeyText, memoryDataKeyStore } from '../testing/index.js';
import {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  retireDataKey,
  rewrapDataKeys,
} from './data-key-rotation.js';
import { openDataKeys } from './data-keys.js';
import { KeyEncryptionError, parseKeyEncryptionKeys } from './key-encryption-keys.js';

const associatedData = { table: 'client', column: 'secret_sealed', row: 'c1' };
const [first, second] = [keyEncryptionKeyText('first'), keyEncryptionKeyText('second')];

function setUp() {
  const clock = frozenClock();
  const store = memoryDataKeyStore();
  const under = (text: string) => ({
    store,
    clock,
    random: secureRandom,
    keyEncryptionKeys: parseKeyEncryptionKeys(text),
  });
  return { clock, store, under, dependencies: under(first) };
}

describe('rotating the encryption key', () => {
  it('fails no process at any step, and every record can still be decrypted', async () => {
    const { clock, dependencies } = setUp();
    const [a, b] = [await openDataKeys(dependencies), await openDataKeys(dependencies)];
    const before = await a.encryptor.encrypt('before', associatedData);

    const added = await addDataKey(dependencies, 'seal');
    await a.refresh();
    expect(a.isEncryptedUnderCurrentKey(await a.encryptor.encrypt('x', associatedData))).toBe(true);
    expect((await a.encryptor.encrypt('x', associatedData)).split('.')[1]).not.toBe(added.id);

    clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000);
    await activateDataKey(dependencies, added.id);
    await a.refresh();
    const after = await a.encryptor.encrypt('after', associatedData);
    expect(after.split('.')[1]).toBe(added.id);

    // b has not read the keys since it started.
    expect(await b.encryptor.open(after, associatedData)).toBe('after');
    for (const keys of [a, b]) expect(await keys.encryptor.open(before, associatedData)).toBe('before');
    expect(a.isEncryptedUnderCurrentKey(before)).toBe(false);
    expect(a.isEncryptedUnderCurrentKey(after)).toBe(true);
  });

  it('retires the previous key, which still decrypts', async () => {
    const { clock, store, dependencies } = setUp();
    const keys = await openDataKeys(dependencies);
    const record = await keys.encryptor.encrypt('x', associatedData);
    const added = await addDataKey(dependencies, 'seal');
    clock.advanceSeconds(60);
    await activateDataKey(dependencies, added.id);
    expect(store.rows.filter(({ purpose }) => purpose === 'seal').map(({ state }) => state)).toEqual([
      'retired',
      'active',
    ]);
    const restarted = await openDataKeys(dependencies);
    expect(await restarted.encryptor.open(record, associatedData)).toBe('x');
  });
});

describe('rotating the digest key', () => {
  it('matches digests under every key that is not retired, in every process', async () => {
    const { clock, store, dependencies } = setUp();
    const [a, b] = [await openDataKeys(dependencies), await openDataKeys(dependencies)];
    const stored = a.digester.digest('client-secret', 'x');
    const added = await addDataKey(dependencies, 'digest');
    await Promise.all([a.refresh(), b.refresh()]);

    clock.advanceSeconds(60);
    await activateDataKey(dependencies, added.id);
    await a.refresh();
    const fresh = a.digester.digest('client-secret', 'x');
    expect(fresh).not.toEqual(stored);
    // b has the key as pending, and finds what a stores under it.
    for (const keys of [a, b]) {
      expect(keys.digester.matches('client-secret', 'x', stored)).toBe(true);
      expect(keys.digester.matches('client-secret', 'x', fresh)).toBe(true);
    }

    const earlier = store.rows.find(({ purpose, id }) => purpose === 'digest' && id !== added.id);
    clock.advanceSeconds(60);
    await retireDataKey(dependencies, earlier?.id ?? '');
    await a.refresh();
    expect(a.digester.matches('client-secret', 'x', stored)).toBe(false);
    expect(a.digester.matches('client-secret', 'x', fresh)).toBe(true);
  });
});

describe('the states of a data key', () => {
  it('activates no key before every process has had time to read it', async () => {
    const { clock, dependencies } = setUp();
    await openDataKeys(dependencies);
    const added = await addDataKey(dependencies, 'digest');
    clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000 - 1);
    await expect(activateDataKey(dependencies, added.id)).rejects.toThrow(KeyStateError);
    clock.advanceSeconds(1);
    await activateDataKey(dependencies, added.id);
  });

  it('activates no active, retired or unknown key', async () => {
    const { clock, store, dependencies } = setUp();
    await openDataKeys(dependencies);
    const [active] = store.rows;
    const added = await addDataKey(dependencies, 'seal');
    await retireDataKey(dependencies, added.id);
    clock.advanceSeconds(60);
    for (const id of [active?.id ?? '', added.id, 'unknown'])
      await expect(activateDataKey(dependencies, id)).rejects.toThrow(KeyStateError);
  });

  it('retires no digest key before every process has had time to write under its successor', async () => {
    const { clock, store, dependencies } = setUp();
    await openDataKeys(dependencies);
    const earlier = store.rows.find(({ purpose }) => purpose === 'digest')?.id ?? '';
    const added = await addDataKey(dependencies, 'digest');
    clock.advanceSeconds(3_600);
    await activateDataKey(dependencies, added.id);
    const retire = () => retireDataKey(dependencies, earlier);
    await expect(retire()).rejects.toThrow(KeyStateError);
    await expect(retire()).rejects.toThrow('can be retired in 60 seconds');
    clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000 - 1);
    await expect(retire()).rejects.toThrow(KeyStateError);
    clock.advanceSeconds(1);
    await retire();
    expect(store.rows.find(({ id }) => id === earlier)?.state).toBe('retired');
  });

  it('retires an encryption key at once, since it still decrypts', async () => {
    const { clock, dependencies } = setUp();
    const keys = await openDataKeys(dependencies);
    const record = await keys.encryptor.encrypt('x', associatedData);
    const [added, another] = [await addDataKey(dependencies, 'seal'), await addDataKey(dependencies, 'seal')];
    clock.advanceSeconds(60);
    await activateDataKey(dependencies, added.id);
    await retireDataKey(dependencies, another.id);
    await keys.refresh();
    expect(await keys.encryptor.open(record, associatedData)).toBe('x');
  });

  it('uses the creation time of a key if its activation time is unknown', async () => {
    const { clock, store, dependencies } = setUp();
    await openDataKeys(dependencies);
    const earlier = store.rows.find(({ purpose }) => purpose === 'digest')?.id ?? '';
    const added = await addDataKey(dependencies, 'digest');
    await store.update({ ...added, state: 'active' });
    await expect(retireDataKey(dependencies, earlier)).rejects.toThrow(KeyStateError);
    clock.advanceSeconds(60);
    await retireDataKey(dependencies, earlier);
  });

  it('retires neither the current key nor an unknown one', async () => {
    const { store, dependencies } = setUp();
    await openDataKeys(dependencies);
    for (const id of [...store.rows.map((row) => row.id), 'unknown'])
      await expect(retireDataKey(dependencies, id)).rejects.toThrow(KeyStateError);
  });

  it('uses the newest of two active keys, which an interrupted rotation leaves', async () => {
    const { clock, store, dependencies } = setUp();
    const keys = await openDataKeys(dependencies);
    clock.advanceSeconds(1);
    const added = await addDataKey(dependencies, 'seal');
    await store.update({ ...added, state: 'active' });
    await keys.refresh();
    expect((await keys.encryptor.encrypt('x', associatedData)).split('.')[1]).toBe(added.id);
  });
});

describe('rotating the key-encryption key', () => {
  it('wraps every data key again and changes nothing else', async () => {
    const { under, store } = setUp();
    const before = await openDataKeys(under(first));
    const record = await before.encryptor.encrypt('x', associatedData);
    const digest = before.digester.digest('access-token', 'x');

    expect(await rewrapDataKeys(under(`${second},${first}`))).toBe(2);
    expect(await rewrapDataKeys(under(`${second},${first}`))).toBe(0);
    expect(new Set(store.rows.map((row) => row.keyEncryptionKeyId))).toEqual(
      new Set([parseKeyEncryptionKeys(second).activeId]),
    );

    const after = await openDataKeys(under(second));
    expect(await after.encryptor.open(record, associatedData)).toBe('x');
    expect(after.digester.digest('access-token', 'x')).toEqual(digest);
    await expect(openDataKeys(under(first))).rejects.toThrow(KeyEncryptionError);
  });

  it('continues after an interruption', async () => {
    const { under, store } = setUp();
    await openDataKeys(under(first));
    let updates = 0;
    const stopping = {
      ...store,
      update: async (key: Parameters<typeof store.update>[0]) => {
        updates += 1;
        if (updates === 2) throw new Error('killed');
        return store.update(key);
      },
    };
    await expect(rewrapDataKeys({ ...under(`${second},${first}`), store: stopping })).rejects.toThrow(
      'killed',
    );
    await openDataKeys(under(`${second},${first}`));
    expect(await rewrapDataKeys(under(`${second},${first}`))).toBe(1);
    await openDataKeys(under(second));
  });
});
