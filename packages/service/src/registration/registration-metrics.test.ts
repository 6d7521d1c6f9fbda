import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { frozenClock } from '@vestibule/protocol/testing';
import { aClient, aClientId, type ClientDeviations, createTestDatabase } from '@vestibule/testkit';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { countingRegistrations } from './registration-metrics.js';

it('counts new clients by who registered them, and none that exists already', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const opened = openStore({
    connection: { url },
    keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
    clock: frozenClock(),
    random: secureRandom,
    onProblem: () => undefined,
  });
  onTestFinished(() => opened.close());
  await opened.opened;
  const registry = new Registry();
  const { clients } = countingRegistrations(opened, registry).database;
  const created = async (id: string, deviation: ClientDeviations) =>
    clients.create(aClient({ ...deviation, id: aClientId(id) }));
  await created('a', { origin: 'open_registration' });
  await created('a', { origin: 'open_registration' });
  await created('b', { origin: 'registration', registrar: 'initial_access_token' });
  await created('c', { origin: 'import', registrar: 'master_token' });
  await created('d', { origin: 'registration' });
  await created('https://app.example/e', { origin: 'metadata_document' });
  await created('f', { origin: 'federation_automatic' });
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('clients_'));
  expect(lines).toEqual([
    'clients_registered_total{who="anonymous"} 1',
    'clients_registered_total{who="initial_access_token"} 1',
    'clients_registered_total{who="master_token"} 2',
    'clients_registered_total{who="metadata_document"} 1',
    'clients_registered_total{who="federation_explicit"} 0',
    'clients_registered_total{who="federation_automatic"} 1',
  ]);
});
