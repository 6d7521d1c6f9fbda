import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  openDataKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { rotateDataKey } from '@vestibule/crypto/testing';
import { openDatabase } from '@vestibule/database';
import type { Issuer } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createAdapterFactory } from './index.js';

/** The adapter in two processes, which reload the keys of their database when the test says so. */
async function createFixture() {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase({ url });
  onTestFinished(() => database.close());
  const clock = frozenClock();
  const keyEncryptionKeys = parseKeyEncryptionKeys(randomBytes(32).toString('base64url'));
  const dependencies = { store: database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const open = async () => {
    const keys = await openDataKeys(dependencies);
    const adapterOf = createAdapterFactory({
      ...keys,
      clock,
      issuer: 'https://as.example' as Issuer,
      clients: database.clients,
      records: database.providerRecords,
      replays: database.replays,
      performed: { grantTypes: ['authorization_code'], responseTypes: ['code'] },
    });
    return { keys, adapterOf };
  };
  return { database, clock, dependencies, one: await open(), other: await open() };
}

it('finds records encrypted under a previous key, before and after they are encrypted anew under the current key', async () => {
  const {
    database,
    dependencies,
    one: { keys, adapterOf },
  } = await createFixture();
  const interactions = adapterOf('Interaction');
  await interactions.upsert('one', { kind: 'Interaction', returnTo: 'https://as.example/a' }, 600);
  const before = await interactions.find('one');
  expect(before).toMatchObject({ returnTo: 'https://as.example/a' });

  await rotateDataKey(dependencies, 'seal');
  await keys.refresh();
  expect(await interactions.find('one')).toEqual(before);
  expect(await database.reencrypt(keys)).toEqual({ reencrypted: 1, left: 0, unreadable: 0 });
  expect(await interactions.find('one')).toEqual(before);
  expect(await database.reencrypt(keys, { isPlan: true })).toEqual({
    reencrypted: 0,
    left: 0,
    unreadable: 0,
  });
});

it('finds the last saved record while the digest key rotates, in whichever process it was saved, and keeps one record', async () => {
  const { clock, dependencies, one, other } = await createFixture();
  const [here, there] = [one.adapterOf('DeviceCode'), other.adapterOf('DeviceCode')];
  const code = { kind: 'DeviceCode', uid: 'uid', userCode: 'ABCD-EFGH' };
  const find = ({ find, findByUid, findByUserCode }: typeof here) =>
    Promise.all([find('one'), findByUid('uid'), findByUserCode('ABCD-EFGH')]);
  const added = await addDataKey(dependencies, 'digest');
  for (const { keys } of [one, other]) await keys.refresh();
  await here.upsert('one', { ...code, error: 'first' }, 600);

  clock.advanceSeconds(60);
  await activateDataKey(dependencies, added.id);
  await one.keys.refresh();
  for (const [adapter, error] of [
    [here, 'second'] as const,
    [there, 'third'] as const,
    [here, 'fourth'] as const,
  ]) {
    await adapter.upsert('one', { ...code, error }, 600);
    for (const each of [here, there])
      for (const found of await find(each)) expect(found).toMatchObject({ error });
  }
  await there.consume('one');
  await here.upsert('one', { ...code, error: 'fifth' }, 600);
  for (const each of [here, there])
    for (const found of await find(each))
      expect(found).toMatchObject({ error: 'fifth', consumed: expect.any(Number) });
  await here.destroy('one');
  for (const each of [here, there]) expect(await find(each)).toEqual([undefined, undefined, undefined]);
});
