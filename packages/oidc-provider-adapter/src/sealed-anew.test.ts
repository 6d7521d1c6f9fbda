import { randomBytes } from 'node:crypto';
import {
  activateDataKey,
  addDataKey,
  openDataKeys,
  parseKeyEncryptionKeys,
  secureRandom,
} from '@vestibule/crypto';
import { openDatabase } from '@vestibule/database';
import type { Issuer } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createAdapterFactory } from './index.js';

it('finds what was sealed under an earlier key as it was, and under the present key once it is sealed anew', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const database = openDatabase({ url });
  onTestFinished(() => database.close());
  const clock = frozenClock();
  const keyEncryptionKeys = parseKeyEncryptionKeys(randomBytes(32).toString('base64url'));
  const dependencies = { store: database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const keys = await openDataKeys(dependencies);
  const interactions = createAdapterFactory({
    ...keys,
    clock,
    issuer: 'https://as.example' as Issuer,
    clients: database.clients,
    records: database.providerRecords,
    replays: database.replays,
    performed: { grantTypes: ['authorization_code'], responseTypes: ['code'] },
  })('Interaction');
  await interactions.upsert('one', { kind: 'Interaction', returnTo: 'https://as.example/a' }, 600);
  const before = await interactions.find('one');
  expect(before).toMatchObject({ returnTo: 'https://as.example/a' });

  const added = await addDataKey(dependencies, 'seal');
  clock.advanceSeconds(60);
  await activateDataKey(dependencies, added.id);
  await keys.refresh();
  expect(await interactions.find('one')).toEqual(before);
  expect(await database.reseal(keys)).toEqual({ resealed: 1, left: 0, unreadable: 0 });
  expect(await interactions.find('one')).toEqual(before);
  expect(await database.reseal(keys, { isPlan: true })).toEqual({ resealed: 0, left: 0, unreadable: 0 });
});
