import type { DocumentRecord, DocumentUrl } from '@vestibule/clients/metadata-documents';
import { describe, expect, it } from 'vitest';
import type { Statement } from './statement.js';
import { aClient, aDigest, after, anId, NOW, race, twoProcesses } from './testing/fixtures.js';
import { heldTransaction, untilWaitingOrDone } from './testing/held-transaction.js';
import { countRows, query } from './testing/test-database.js';

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
  expect(await other.clientDocuments.find(URL)).toStrictEqual({ isLeased: false });
  await one.clients.create(REGISTERED);
  await one.clientDocuments.save(URL, FULL, NOW);
  const client = await one.clients.find(REGISTERED.id);
  expect(client).toBeDefined();
  expect(await other.clientDocuments.find(URL)).toStrictEqual({ record: FULL, isLeased: false, client });
  const less: DocumentRecord = { validators: {}, history: [] };
  await other.clientDocuments.save(URL, less, NOW);
  expect(await one.clientDocuments.find(URL)).toStrictEqual({ record: less, isLeased: false, client });
});

it('finds a document with the client of its URL however that was registered, and either without the other', async () => {
  const { one } = await twoProcesses();
  const imported = { ...REGISTERED, origin: 'import' } as const;
  await one.clients.create(imported);
  const others = ['https://app.example/refused.json', 'https://app.example/unknown.json'] as DocumentUrl[];
  await one.clientDocuments.save(others[0] as DocumentUrl, FULL, NOW);
  const found = await Promise.all([URL, ...others].map((url) => one.clientDocuments.find(url)));
  expect(found).toStrictEqual([
    { isLeased: false, client: await one.clients.find(imported.id) },
    { isLeased: false, record: FULL },
    { isLeased: false },
  ]);
});

it('lets one of parallel processes validate a document, until it has stored the outcome', async () => {
  const { one, other } = await twoProcesses();
  const stores = [one, other, one, other].map(({ clientDocuments }) => clientDocuments);
  const leases = await Promise.all(stores.map((store) => store.lease(URL, 60)));
  expect(leases.toSorted()).toEqual(['held', 'held', 'held', 'leased']);
  expect(await other.clientDocuments.find(URL)).toMatchObject({ isLeased: true });
  await one.clientDocuments.save(URL, FULL, NOW);
  expect(await other.clientDocuments.find(URL)).toMatchObject({ isLeased: false });
  expect(await other.clientDocuments.lease(URL, 60)).toBe('leased');
  expect(await one.clientDocuments.find(URL)).toMatchObject({ record: FULL, isLeased: true });
  await other.clientDocuments.release(URL);
  expect(await one.clientDocuments.lease(URL, 60)).toBe('leased');
});

it('ends the lease of a process that was killed', async () => {
  const { one, other } = await twoProcesses();
  expect(await one.clientDocuments.lease(URL, 0)).toBe('leased');
  expect(await other.clientDocuments.lease(URL, 60)).toBe('leased');
});

it('deletes a document with its client, and one without a client after a day', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(REGISTERED);
  await one.clientDocuments.save(URL, FULL, NOW);
  const refused = 'https://app.example/refused.json' as DocumentUrl;
  await one.clientDocuments.save(refused, FULL, NOW);
  expect((await one.cleanUp({ now: after(86_399) })).client_metadata_document).toBe(0);
  expect((await one.cleanUp({ now: after(86_400) })).client_metadata_document).toBe(1);
  expect(await one.clientDocuments.find(refused)).not.toHaveProperty('record');
  expect(await one.clientDocuments.find(URL)).toHaveProperty('record');
  await one.clients.delete(REGISTERED.id, NOW);
  expect(await one.clientDocuments.find(URL)).toStrictEqual({ isLeased: false });
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

/** The lock with which additions wait for each other. */
const LOCK_ADDITIONS: Statement = {
  name: 'lock-additions',
  text: 'SELECT pg_advisory_xact_lock(7203941586021134877)',
  repeatable: false,
};

describe('a cap on unused documents', () => {
  const url = (name: string) => `https://app.example/${name}.json` as DocumentUrl;
  const cap = (most: number, network: string) => ({ most, network: [aDigest(network)] as const });

  it('is enforced exactly for 60 parallel requests in two processes', async () => {
    const { url: database, one, other } = await twoProcesses();
    const outcomes = await race([one, other], 60, ({ clientDocuments }, index) =>
      clientDocuments.lease(url(`${index}`), 60, cap(20, `network ${index}`)),
    );
    expect(outcomes.filter((outcome) => outcome === 'leased')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'no_room')).toHaveLength(40);
    expect(await countRows(database, 'client_metadata_document')).toBe(20);
  });

  it('has room for a document that a parallel request of another network added last', async () => {
    const { url: database, one, other } = await twoProcesses();
    const holder = await heldTransaction(database);
    await holder.run(LOCK_ADDITIONS, []);
    const lease = ({ clientDocuments }: typeof one, network: string) =>
      clientDocuments.lease(url('same'), 60, cap(1, network));
    const first = await untilWaitingOrDone(database, () => lease(one, 'a'));
    const second = await untilWaitingOrDone(database, () => lease(other, 'b'), 1);
    expect([first.isWaiting, second.isWaiting]).toEqual([true, true]);
    await holder.commit();
    expect((await Promise.all([first.result, second.result])).toSorted()).toEqual(['held', 'leased']);
    expect(await one.clientDocuments.lease(url('other'), 60, cap(1, 'c'))).toBe('no_room');
  });

  it('counts refused documents and those with an unused client, and admits another one when one is used or expires', async () => {
    const { one } = await twoProcesses();
    const lease = (name: string) => one.clientDocuments.lease(url(name), 60, cap(2, `network of ${name}`));
    const client = aClient({ id: anId(url('registered')), origin: 'metadata_document' });
    expect(await lease('registered')).toBe('leased');
    await one.clients.create(client);
    await one.clientDocuments.save(url('registered'), FULL, NOW);
    expect(await lease('refused')).toBe('leased');
    await one.clientDocuments.save(url('refused'), FULL, NOW);
    expect(await lease('third')).toBe('no_room');
    await one.clients.markUsed([client.id], NOW, 300);
    expect(await lease('third')).toBe('leased');
    expect(await lease('fourth')).toBe('no_room');
    await one.cleanUp({ now: after(86_400) });
    expect(await lease('fourth')).toBe('leased');
  });

  it('lets known documents go on', async () => {
    const { one } = await twoProcesses();
    expect(await one.clientDocuments.lease(url('known'), 0, cap(1, 'network'))).toBe('leased');
    expect(await one.clientDocuments.lease(url('other'), 60, cap(1, 'network'))).toBe('no_room');
    expect(await one.clientDocuments.lease(url('known'), 60, cap(1, 'network'))).toBe('leased');
  });

  it('limits each network to a share of the free places, so that a few networks cannot use all of them', async () => {
    const { one, other } = await twoProcesses();
    const leased: number[] = [];
    for (const network of ['a', 'b', 'c', 'd']) {
      const outcomes = await race([one, other], 30, ({ clientDocuments }, index) =>
        clientDocuments.lease(url(`${network}${index}`), 60, cap(20, network)),
      );
      leased.push(outcomes.filter((outcome) => outcome === 'leased').length);
    }
    expect(leased).toEqual([10, 5, 3, 1]);
  });

  it('does not count used documents in the share of a network, and forgets the network of one at its next validation', async () => {
    const { url: database, one } = await twoProcesses();
    const lease = (name: string) => one.clientDocuments.lease(url(name), 60, cap(2, 'network'));
    const client = aClient({ id: anId(url('first')), origin: 'metadata_document' });
    expect(await lease('first')).toBe('leased');
    await one.clients.create(client);
    await one.clientDocuments.save(url('first'), FULL, NOW);
    expect(await lease('second')).toBe('no_room');
    await one.clients.markUsed([client.id], NOW, 300);
    expect(await one.clientDocuments.lease(url('foreign'), 60, cap(2, 'other network'))).toBe('leased');
    expect(await lease('second')).toBe('leased');
    await one.clientDocuments.save(url('first'), FULL, NOW);
    const networks = 'SELECT url FROM client_metadata_document WHERE network_digest IS NOT NULL ORDER BY url';
    expect(await query(database, networks)).toEqual([{ url: url('foreign') }, { url: url('second') }]);
  });
});
