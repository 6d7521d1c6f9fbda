import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { secureRandom } from '../random.js';
import { keyEncryptionKeyText, memoryDataKeyStore } from '../testing/index.js';
import { activateDataKey, addDataKey, DATA_KEY_SETTLE_MS } from './data-key-rotation.js';
import { openDataKeys } from './data-keys.js';
import { isDigestedUnder, type StoredDigest } from './digested-under.js';
import { KeyEncryptionError, parseKeyEncryptionKeys } from './key-encryption-keys.js';

it('tells under which digest key a digest is stored', async () => {
  const clock = frozenClock();
  const store = memoryDataKeyStore();
  const keyEncryptionKeys = parseKeyEncryptionKeys(keyEncryptionKeyText('first'));
  const dependencies = { store, clock, random: secureRandom, keyEncryptionKeys };
  const keys = await openDataKeys(dependencies);
  const stored = (value: string): StoredDigest => ({
    kind: 'client-secret',
    value,
    digest: keys.digester.digest('client-secret', value),
  });
  const before = stored('x');
  const added = await addDataKey(dependencies, 'digest');
  clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000);
  await activateDataKey(dependencies, added.id);
  await keys.refresh();
  const after = stored('x');
  const under = async (digest: StoredDigest) => {
    const all = await store.list();
    const found = await Promise.all(all.map((key) => isDigestedUnder(keyEncryptionKeys, key, digest)));
    return all.filter((_, index) => found[index]).map(({ id }) => id);
  };
  const first = (await store.list()).find(({ id, purpose }) => purpose === 'digest' && id !== added.id);
  expect(await under(before)).toEqual([first?.id]);
  expect(await under(after)).toEqual([added.id]);
  expect(await under({ ...after, value: 'y' })).toEqual([]);
  expect(await under({ ...after, kind: 'access-token' })).toEqual([]);
  const others = parseKeyEncryptionKeys(keyEncryptionKeyText('second'));
  await expect(isDigestedUnder(others, added, after)).rejects.toThrow(KeyEncryptionError);
});
