import { describe, expect, it } from 'vitest';
import { composeAuthorization } from '../../src/index.js';
import { createDocumentFixture, NETWORK } from '../support/document-fixture.js';

const ETAG = { etag: '"one"', 'cache-control': 'max-age=600' };

it('fetches a document once in its lifetime, and then asks whether it changed', async () => {
  const { host, find, clock, record } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  clock.advanceSeconds(479);
  await find(url);
  expect(host.requests).toHaveLength(1);
  clock.advanceSeconds(121);
  await find(url);
  expect(host.requests).toHaveLength(2);
  expect(host.requests[1]?.headers).toMatchObject({ 'if-none-match': '"one"' });
  expect(await record(url)).toMatchObject({ history: [{ event: 'registered' }] });
  clock.advanceSeconds(479);
  await find(url);
  expect(host.requests).toHaveLength(2);
});

it('counts a document as long as its headers say, within the bounds', async () => {
  const { host, find, clock, record } = await createDocumentFixture();
  const lifetimes = {
    'no-store': 300,
    'max-age=1': 300,
    'max-age=1000': 1_000,
    'max-age=31536000': 86_400,
    '': 3_600,
  };
  const now = Math.floor(clock.nowMs() / 1000);
  for (const [caching, seconds] of Object.entries(lifetimes)) {
    const url = host.publish(
      `/${seconds}${caching}.json`,
      {},
      caching === '' ? {} : { 'cache-control': caching },
    );
    await find(url);
    expect(await record(url), caching).toMatchObject({ validatedAt: now, freshUntil: now + seconds });
  }
});

it('validates a used document in the background before its lifetime ends', async () => {
  const { host, find, clock, record } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  clock.advanceSeconds(500);
  await find(url);
  await expect.poll(() => record(url)).toMatchObject({ validatedAt: Math.floor(clock.nowMs() / 1000) });
  expect(host.requests).toHaveLength(2);
});

it('takes over changed redirect URIs and keys at the next validation, and keeps status and tokens', async () => {
  const { host, find, clock, stored, record } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  const before = await find(url);
  host.publish('/client.json', { redirect_uris: ['https://other.example/cb'] }, { etag: '"two"' });
  clock.advanceSeconds(600);
  expect(await find(url)).toMatchObject({
    version: 2,
    issuedAt: before.issuedAt,
    metadata: { redirect_uris: ['https://other.example/cb'] },
  });
  expect(await stored(url)).toMatchObject({ metadata: { redirect_uris: ['https://other.example/cb'] } });
  expect(await record(url)).toMatchObject({
    validators: { etag: '"two"' },
    history: [{}, { event: 'changed' }],
  });
});

it('uses the last document within a bound while its host cannot be reached, then refuses', async () => {
  const { host, find, clock, record } = await createDocumentFixture({
    METADATA_DOCUMENT_STALE_SECONDS: '60',
  });
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  host.serve('/client.json', { status: 500 });
  clock.advanceSeconds(659);
  expect(await find(url)).toMatchObject({ id: url });
  expect(await record(url)).toMatchObject({ problem: { reason: 'unavailable', detail: 'status 500' } });
  clock.advanceSeconds(1);
  await expect(find(url)).rejects.toMatchObject({ code: 'invalid_client', reason: 'unavailable' });
  host.publish('/client.json', {}, ETAG);
  expect(await find(url)).toMatchObject({ id: url });
});

it('does not ask a failing host for each request', async () => {
  const { host, find, clock } = await createDocumentFixture({ METADATA_DOCUMENT_RETRY_SECONDS: '10' });
  const url = host.url('/client.json');
  for (let attempt = 1; attempt <= 3; attempt += 1)
    await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  expect(host.requests).toHaveLength(1);
  clock.advanceSeconds(10);
  await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  expect(host.requests).toHaveLength(2);
});

it('refuses a document that became invalid, although the one before was not', async () => {
  const { host, find, clock, stored } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  host.publish('/client.json', { client_secret: 'secret' });
  clock.advanceSeconds(600);
  await expect(find(url)).rejects.toMatchObject({ reason: 'secret' });
  expect(await stored(url)).toMatchObject({ version: 1 });
});

it('refuses a withdrawn document at once, and deletes its client when it stays away', async () => {
  const { host, find, clock, stored, sql } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  host.serve('/client.json', { status: 410 });
  clock.advanceSeconds(600);
  await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  clock.advanceSeconds(3_599);
  await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  expect(await stored(url)).toBeDefined();
  clock.advanceSeconds(1);
  await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  expect(await stored(url)).toBeUndefined();
  expect(await sql(`SELECT actor, action FROM audit_event ORDER BY id`)).toEqual([
    { actor: 'metadata_document', action: 'client.registered' },
    { actor: 'metadata_document', action: 'client.deleted' },
  ]);
});

it.each([
  ['withdrawn', { status: 404 }],
  ['content', { body: '{}' }],
] as const)(
  'keeps refusing a document with the problem %s while its host fails, until it is valid again',
  async (reason, response) => {
    const { host, find, clock, record } = await createDocumentFixture();
    const url = host.publish('/client.json', {}, ETAG);
    await find(url);
    host.serve('/client.json', response);
    clock.advanceSeconds(600);
    await expect(find(url)).rejects.toMatchObject({ reason });
    host.serve('/client.json', { status: 500 });
    for (let attempt = 1; attempt <= 3; attempt += 1)
      await expect(find(url)).rejects.toMatchObject({ reason });
    expect(await record(url)).toMatchObject({ history: [{}, { event: 'refused' }] });
    host.publish('/client.json', {}, ETAG);
    expect(await find(url)).toMatchObject({ id: url });
  },
);

it('counts the time of a withdrawal anew when the document was there in between', async () => {
  const { host, find, clock, stored } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  clock.advanceSeconds(600);
  for (const response of [{ status: 404 }, { body: '{}' }, { status: 404 }]) {
    host.serve('/client.json', response);
    await expect(find(url)).rejects.toMatchObject({ code: 'invalid_client' });
    clock.advanceSeconds(2_000);
  }
  await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  expect(await stored(url)).toBeDefined();
});

it('keeps the client of a withdrawn document if the operator says so', async () => {
  const { host, find, clock, stored } = await createDocumentFixture({
    METADATA_DOCUMENT_WITHDRAWN: 'refuse',
    METADATA_DOCUMENT_WITHDRAWN_SECONDS: '0',
  });
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  host.remove('/client.json');
  clock.advanceSeconds(600);
  await expect(find(url)).rejects.toMatchObject({ reason: 'withdrawn' });
  expect(await stored(url)).toBeDefined();
  host.publish('/client.json', {}, ETAG);
  expect(await find(url)).toMatchObject({ id: url });
});

it('leaves a suspended client suspended, and its document alone', async () => {
  const { host, find, clock, stored, store } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  const client = await find(url);
  await store.database.clients.replace({ client: { ...client, status: 'suspended', version: 2 } });
  clock.advanceSeconds(86_000);
  expect(await find(url)).toMatchObject({ status: 'suspended' });
  expect(host.requests).toHaveLength(1);
  expect(await stored(url)).toMatchObject({ status: 'suspended', version: 2 });
});

describe.each(['responds', 'fails'] as const)('while a host takes time, and then %s,', (end) => {
  const begun = async () => {
    const fixture = await createDocumentFixture();
    const { host, find, clock, store } = fixture;
    const url = host.publish('/client.json', {}, ETAG);
    const client = await find(url);
    clock.advanceSeconds(600);
    host.hang();
    const found = find(url);
    await expect.poll(() => host.requests.length).toBe(2);
    return {
      found,
      client,
      clients: store.database.clients,
      finish: end === 'fails' ? host.stop : host.respond,
    };
  };

  it('an operator can suspend its client', async () => {
    const { found, client, clients, finish } = await begun();
    await clients.replace({ client: { ...client, status: 'suspended', version: 2 } });
    await finish();
    expect(await found).toMatchObject({ status: 'suspended' });
  });

  it('an operator can delete its client', async () => {
    const { found, client, clients, finish } = await begun();
    await clients.delete(client.id, client.issuedAt);
    await Promise.all([
      expect(found).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 }),
      finish(),
    ]);
  });
});

it('is not stored by an instance whose lease ended during the fetch, as when its process was frozen', async () => {
  const { host, find, clock, record, store } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  clock.advanceSeconds(600);
  host.hang();
  const found = find(url);
  await expect.poll(() => host.requests.length).toBe(2);
  clock.advanceSeconds(10);
  const before = await record(url);
  const client = await store.database.clients.find(url as never);
  host.publish('/client.json', { client_name: 'Another name' }, { etag: '"two"' });
  host.respond();
  // It is used as it was, since its host may be as slow the next time.
  expect(await found).toEqual(client);
  expect(await record(url)).toEqual(before);
  expect(await store.database.clients.find(url as never)).toEqual(client);
});

it('does not replace what another instance stored while a process was frozen', async () => {
  const { host, find, clock, record, store, sql } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  const client = await find(url);
  clock.advanceSeconds(600);
  host.hang();
  const found = find(url);
  await expect.poll(() => host.requests.length).toBe(2);
  // The lease is over for the store, while the clock of the process stands still.
  await sql(`UPDATE client_metadata_document SET leased_until = NULL, digest = 'newer'`);
  const newer = { ...client, version: 2, metadata: { ...client.metadata, client_name: 'Newer' } };
  expect(await store.database.clients.replace({ client: newer })).toBe(true);
  const before = await record(url);
  host.publish('/client.json', { client_name: 'Older' }, { etag: '"two"' });
  host.respond();
  expect(await found).toMatchObject({ version: 2, metadata: { client_name: 'Newer' } });
  expect(await record(url)).toEqual(before);
});

it('never touches a client with the same identifier that was registered otherwise', async () => {
  const { host, find, store, config, clock } = await createDocumentFixture();
  const url = host.publish('/client.json');
  const client = await find(url);
  await store.database.clients.delete(client.id, client.issuedAt);
  await store.database.clients.create({ ...client, origin: 'import' });
  expect(await find(url)).toMatchObject({ origin: 'import' });
  const elsewhere = { ...config, CLIENT_ID_METADATA_DOCUMENTS: new Set(['other.example']) };
  const { documents } = composeAuthorization(elsewhere, store, { clock });
  expect(await documents?.find(url as never, NETWORK)).toMatchObject({ origin: 'import' });
  expect(host.requests).toHaveLength(1);
});

it('forgets a client that is never used, and keeps one that is', async () => {
  const { host, find, clock, store, stored, record } = await createDocumentFixture();
  const [unused, used] = [host.publish('/unused.json'), host.publish('/used.json')];
  await find(unused);
  const { id } = await find(used);
  const now = () => Math.floor(clock.nowMs() / 1000) as never;
  await store.database.clients.markUsed([id], now(), 0);
  clock.advanceSeconds(86_400);
  await store.database.cleanUp({ now: now() });
  expect([await stored(unused), await record(unused)]).toEqual([undefined, undefined]);
  expect(await stored(used)).not.toHaveProperty('expiresAt');
  expect(await record(used)).toMatchObject({ digest: expect.any(String) });
});

it('reads an unchanged document again when the rules of the server changed', async () => {
  const { host, find, clock, config, store } = await createDocumentFixture();
  const url = host.publish('/client.json', {}, ETAG);
  await find(url);
  clock.advanceSeconds(600);
  const strict = { ...config, METADATA_DOCUMENT_URIS: 'same_origin' } as const;
  const { documents } = composeAuthorization(strict, store, { clock });
  await expect(documents?.find(url as never, NETWORK)).rejects.toMatchObject({ reason: 'uri' });
  expect(host.requests[1]?.headers).not.toHaveProperty('if-none-match');
});
