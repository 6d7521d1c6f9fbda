import type { DocumentRecord, DocumentUrl } from '@vestibule/clients/metadata-documents';
import { expect, it } from 'vitest';
import { aClient, after, anId, NOW, twoProcesses } from './testing/fixtures.js';

const URL = 'https://app.example/client.json' as DocumentUrl;
const REGISTERED = aClient({ id: anId(URL), origin: 'metadata_document' });

const FULL: DocumentRecord = {
  validators: { etag: '"one"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  digest: 'the digest',
  rules: 'the rules',
  validatedAt: NOW,
  freshUntil: after(600),
  withdrawnAt: after(700),
  problem: {
    reason: 'withdrawn',
    description: 'gone',
    detail: 'status 404',
    at: after(700),
    retryAt: after(710),
  },
  history: [{ at: NOW, event: 'registered', detail: 'the digest' }],
};

it('stores everything about a document, for every process', async () => {
  const { one, other } = await twoProcesses();
  expect(await other.clientDocuments.find(URL)).toBeUndefined();
  await one.clients.create(REGISTERED);
  await one.clientDocuments.save(URL, FULL, NOW);
  expect(await other.clientDocuments.find(URL)).toStrictEqual({ record: FULL, isLeased: false });
  const less: DocumentRecord = { validators: {}, history: [] };
  await other.clientDocuments.save(URL, less, NOW);
  expect(await one.clientDocuments.find(URL)).toStrictEqual({ record: less, isLeased: false });
});

it('lets one of parallel processes validate a document, until it has stored the outcome', async () => {
  const { one, other } = await twoProcesses();
  const stores = [one, other, one, other].map(({ clientDocuments }) => clientDocuments);
  const leases = await Promise.all(stores.map((store) => store.lease(URL, 60)));
  expect(leases.filter(Boolean)).toHaveLength(1);
  expect(await other.clientDocuments.find(URL)).toMatchObject({ isLeased: true });
  await one.clientDocuments.save(URL, FULL, NOW);
  expect(await other.clientDocuments.find(URL)).toMatchObject({ isLeased: false });
  expect(await other.clientDocuments.lease(URL, 60)).toBe(true);
  expect(await one.clientDocuments.find(URL)).toMatchObject({ record: FULL, isLeased: true });
  await other.clientDocuments.release(URL);
  expect(await one.clientDocuments.lease(URL, 60)).toBe(true);
});

it('ends the lease of a process that was killed', async () => {
  const { one, other } = await twoProcesses();
  expect(await one.clientDocuments.lease(URL, 0)).toBe(true);
  expect(await other.clientDocuments.lease(URL, 60)).toBe(true);
});

it('deletes a document with its client, and one without a client after a day', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(REGISTERED);
  await one.clientDocuments.save(URL, FULL, NOW);
  const refused = 'https://app.example/refused.json' as DocumentUrl;
  await one.clientDocuments.save(refused, FULL, NOW);
  expect((await one.cleanUp({ now: after(86_399) })).client_metadata_document).toBe(0);
  expect((await one.cleanUp({ now: after(86_400) })).client_metadata_document).toBe(1);
  expect(await one.clientDocuments.find(refused)).toBeUndefined();
  expect(await one.clientDocuments.find(URL)).toBeDefined();
  await one.clients.delete(REGISTERED.id, NOW);
  expect(await one.clientDocuments.find(URL)).toBeUndefined();
});

it('does not belong to a client that was registered otherwise', async () => {
  const { one } = await twoProcesses();
  await one.clients.create({ ...REGISTERED, origin: 'import' });
  await one.clientDocuments.save(URL, FULL, NOW);
  expect((await one.cleanUp({ now: after(86_400) })).client_metadata_document).toBe(1);
  expect(await one.clients.find(REGISTERED.id)).toBeDefined();
});

it('makes the client of a document permanent when it is first used', async () => {
  const { one } = await twoProcesses();
  await one.clients.create({ ...REGISTERED, expiresAt: after(60) });
  await one.clients.markUsed([REGISTERED.id], NOW, 0);
  expect(await one.clients.find(REGISTERED.id)).not.toHaveProperty('expiresAt');
});
