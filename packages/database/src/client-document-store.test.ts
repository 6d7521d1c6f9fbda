import type { DocumentLease, DocumentRecord, DocumentUrl } from '@vestibule/clients/metadata-documents';
import { describe, expect, it } from 'vitest';
import type { Database } from './open-database.js';
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

/** Leases a document, which must be free. */
async function leased({ clientDocuments }: Database, url: DocumentUrl, seconds = 60): Promise<DocumentLease> {
  const lease = await clientDocuments.lease(url, seconds);
  if (typeof lease === 'string') throw new TypeError(lease);
  return lease;
}

/** Leases a document and stores its record. */
const stored = async (database: Database, url: DocumentUrl, record: DocumentRecord) =>
  expect(await database.clientDocuments.save(await leased(database, url), record, NOW)).toBe(true);

/** Tries to lease a document, and returns the outcome in one word. */
async function outcomeOf({ clientDocuments }: Database, ...request: LeaseRequest) {
  const lease = await clientDocuments.lease(...request);
  return typeof lease === 'string' ? lease : 'leased';
}

type LeaseRequest = Parameters<Database['clientDocuments']['lease']>;

it('stores everything about a document, for every process', async () => {
  const { one, other } = await twoProcesses();
  expect(await other.clientDocuments.find(URL)).toStrictEqual({ isLeased: false, isBlocked: false });
  await one.clients.create(REGISTERED);
  await stored(one, URL, FULL);
  const client = await one.clients.find(REGISTERED.id);
  expect(client).toBeDefined();
  const found = { isLeased: false, isBlocked: false, client };
  expect(await other.clientDocuments.find(URL)).toStrictEqual({ ...found, record: FULL });
  const less: DocumentRecord = { validators: {}, history: [] };
  await stored(other, URL, less);
  expect(await one.clientDocuments.find(URL)).toStrictEqual({ ...found, record: less });
});

it('finds a document with the client of its URL however that was registered, and either without the other', async () => {
  const { one } = await twoProcesses();
  const imported = { ...REGISTERED, origin: 'import' } as const;
  await one.clients.create(imported);
  const others = ['https://app.example/refused.json', 'https://app.example/unknown.json'] as DocumentUrl[];
  await stored(one, others[0] as DocumentUrl, FULL);
  const found = await Promise.all([URL, ...others].map((url) => one.clientDocuments.find(url)));
  const free = { isLeased: false, isBlocked: false };
  expect(found).toStrictEqual([
    { ...free, client: await one.clients.find(imported.id) },
    { ...free, record: FULL },
    free,
  ]);
});

it('lets one of parallel processes validate a document, until it has stored the outcome', async () => {
  const { one, other } = await twoProcesses();
  const outcomes = await Promise.all(
    [one, other, one, other].map(({ clientDocuments }) => clientDocuments.lease(URL, 60)),
  );
  expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(3);
  const lease = outcomes.find((outcome) => typeof outcome !== 'string');
  if (lease === undefined || typeof lease === 'string') throw new TypeError('no process has the lease');
  expect(await other.clientDocuments.find(URL)).toMatchObject({ isLeased: true });
  expect(await one.clientDocuments.save(lease, FULL, NOW)).toBe(true);
  expect(await other.clientDocuments.find(URL)).toMatchObject({ isLeased: false });
  const next = await leased(other, URL);
  expect(await one.clientDocuments.find(URL)).toMatchObject({ record: FULL, isLeased: true });
  await other.clientDocuments.release(next);
  expect(await outcomeOf(one, URL, 60)).toBe('leased');
});

it('ends the lease of a process that was killed', async () => {
  const { one, other } = await twoProcesses();
  expect(await outcomeOf(one, URL, 0)).toBe('leased');
  expect(await outcomeOf(other, URL, 60)).toBe('leased');
});

// Otherwise a process that was frozen replaces a newer outcome, or ends a validation that is running.
it('stores nothing of a process whose lease has ended, and leaves the lease of the next one alone', async () => {
  const { one, other } = await twoProcesses();
  const late = await leased(one, URL, 0);
  const old: DocumentRecord = { ...FULL, digest: 'an old digest' };
  expect(await one.clientDocuments.save(late, old, NOW)).toBe(false);
  const next = await leased(other, URL);
  for (const record of [undefined, FULL]) {
    if (record !== undefined) expect(await other.clientDocuments.save(next, record, NOW)).toBe(true);
    const before = await other.clientDocuments.find(URL);
    expect(before.isLeased).toBe(record === undefined);
    expect(await one.clientDocuments.save(late, old, NOW)).toBe(false);
    await one.clientDocuments.release(late);
    expect(await other.clientDocuments.find(URL)).toStrictEqual(before);
  }
});

it('stores an outcome after the document was deleted with its client during the lease', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(REGISTERED);
  await stored(one, URL, FULL);
  const lease = await leased(one, URL);
  await one.clients.delete(REGISTERED.id, NOW);
  expect(await one.clientDocuments.save(lease, FULL, NOW)).toBe(true);
  expect(await one.clientDocuments.find(URL)).toStrictEqual({
    record: FULL,
    isLeased: false,
    isBlocked: false,
  });
});

it('finds documents blocked by their own host, or by what their client registered', async () => {
  const { one } = await twoProcesses();
  const change = { actor: 'operator:jane', now: NOW } as const;
  const other = 'https://other.example/client.json' as DocumentUrl;
  await one.clients.create({ ...REGISTERED, metadata: { software_id: 'bad' } as never });
  const blocked = async () =>
    Promise.all([URL, other].map(async (url) => (await one.clientDocuments.find(url)).isBlocked));
  expect(await blocked()).toEqual([false, false]);
  await one.clientBlocks.add([{ kind: 'software_id', value: 'bad' }], undefined, change);
  expect(await blocked()).toEqual([true, false]);
  await one.clientBlocks.add([{ kind: 'host', value: '*.example' }], undefined, change);
  expect(await blocked()).toEqual([true, true]);
});

it('deletes a document with its client, and one without a client after a day', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(REGISTERED);
  await stored(one, URL, FULL);
  const refused = 'https://app.example/refused.json' as DocumentUrl;
  await stored(one, refused, FULL);
  expect((await one.cleanUp({ now: after(86_399) })).client_metadata_document).toBe(0);
  expect((await one.cleanUp({ now: after(86_400) })).client_metadata_document).toBe(1);
  expect(await one.clientDocuments.find(refused)).not.toHaveProperty('record');
  expect(await one.clientDocuments.find(URL)).toHaveProperty('record');
  await one.clients.delete(REGISTERED.id, NOW);
  expect(await one.clientDocuments.find(URL)).toStrictEqual({ isLeased: false, isBlocked: false });
});

it('does not belong to a client that was registered otherwise', async () => {
  const { one } = await twoProcesses();
  await one.clients.create({ ...REGISTERED, origin: 'import' });
  await stored(one, URL, FULL);
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
    const outcomes = await race([one, other], 60, (database, index) =>
      outcomeOf(database, url(`${index}`), 60, cap(20, `network ${index}`)),
    );
    expect(outcomes.filter((outcome) => outcome === 'leased')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'no_room')).toHaveLength(40);
    expect(await countRows(database, 'client_metadata_document')).toBe(20);
  });

  it('has room for a document that a parallel request of another network added last', async () => {
    const { url: database, one, other } = await twoProcesses();
    const holder = await heldTransaction(database);
    await holder.run(LOCK_ADDITIONS, []);
    const lease = (database: Database, network: string) =>
      outcomeOf(database, url('same'), 60, cap(1, network));
    const first = await untilWaitingOrDone(database, () => lease(one, 'a'));
    const second = await untilWaitingOrDone(database, () => lease(other, 'b'), 1);
    expect([first.isWaiting, second.isWaiting]).toEqual([true, true]);
    await holder.commit();
    expect((await Promise.all([first.result, second.result])).toSorted()).toEqual(['held', 'leased']);
    expect(await outcomeOf(one, url('other'), 60, cap(1, 'c'))).toBe('no_room');
  });

  it('counts refused documents and those with an unused client, and admits another one when one is used or expires', async () => {
    const { one } = await twoProcesses();
    const lease = (name: string) => outcomeOf(one, url(name), 0, cap(2, `network of ${name}`));
    const client = aClient({ id: anId(url('registered')), origin: 'metadata_document' });
    expect(await lease('registered')).toBe('leased');
    await one.clients.create(client);
    await stored(one, url('registered'), FULL);
    expect(await lease('refused')).toBe('leased');
    await stored(one, url('refused'), FULL);
    expect(await lease('third')).toBe('no_room');
    await one.clients.markUsed([client.id], NOW, 300);
    expect(await lease('third')).toBe('leased');
    expect(await lease('fourth')).toBe('no_room');
    await one.cleanUp({ now: after(86_400) });
    expect(await lease('fourth')).toBe('leased');
  });

  it('lets known documents go on', async () => {
    const { one } = await twoProcesses();
    expect(await outcomeOf(one, url('known'), 0, cap(1, 'network'))).toBe('leased');
    expect(await outcomeOf(one, url('other'), 60, cap(1, 'network'))).toBe('no_room');
    expect(await outcomeOf(one, url('known'), 60, cap(1, 'network'))).toBe('leased');
  });

  it('limits each network to a share of the free slots, so that a few networks cannot use all of them', async () => {
    const { one, other } = await twoProcesses();
    const leased: number[] = [];
    for (const network of ['a', 'b', 'c', 'd']) {
      const outcomes = await race([one, other], 30, (database, index) =>
        outcomeOf(database, url(`${network}${index}`), 60, cap(20, network)),
      );
      leased.push(outcomes.filter((outcome) => outcome === 'leased').length);
    }
    expect(leased).toEqual([10, 5, 3, 1]);
  });

  it('does not count used documents in the share of a network, and forgets the network of one at its next validation', async () => {
    const { url: database, one } = await twoProcesses();
    const lease = (name: string) => outcomeOf(one, url(name), 0, cap(2, 'network'));
    const client = aClient({ id: anId(url('first')), origin: 'metadata_document' });
    expect(await lease('first')).toBe('leased');
    await one.clients.create(client);
    await stored(one, url('first'), FULL);
    expect(await lease('second')).toBe('no_room');
    await one.clients.markUsed([client.id], NOW, 300);
    expect(await outcomeOf(one, url('foreign'), 60, cap(2, 'other network'))).toBe('leased');
    expect(await lease('second')).toBe('leased');
    await stored(one, url('first'), FULL);
    const networks = 'SELECT url FROM client_metadata_document WHERE network_digest IS NOT NULL ORDER BY url';
    expect(await query(database, networks)).toEqual([{ url: url('foreign') }, { url: url('second') }]);
  });
});
