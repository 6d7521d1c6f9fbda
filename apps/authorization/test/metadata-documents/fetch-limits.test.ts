import { expect, it } from 'vitest';
import { createDocumentFixture } from '../support/document-fixture.js';

const LIMITED = { RATE_LIMITS_ENABLED: 'true' };
const CACHED = { 'cache-control': 'max-age=600' };

/** As after logins with all clients. */
const USE_ALL = 'UPDATE client SET last_used_at = now()';

it('limits the fetches of documents of used clients by host, and uses the last ones meanwhile', async () => {
  const { host, find, clock, sql } = await createDocumentFixture({
    ...LIMITED,
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST: '2',
  });
  const urls = [1, 2, 3, 4, 5].map((n) => host.publish(`/${n}.json`, {}, CACHED));
  for (const url of urls) await find(url);
  await sql(USE_ALL);
  clock.advanceSeconds(600);
  for (let time = 1; time <= 2; time += 1)
    for (const url of urls) expect(await find(url)).toMatchObject({ id: url, status: 'active' });
  expect(host.requests).toHaveLength(5 + 2);
  clock.advanceSeconds(60);
  for (const url of urls) await find(url);
  expect(host.requests).toHaveLength(5 + 4);
});

it('says when to come back if a known document is too old to be used without a fetch', async () => {
  const { host, find, clock, sql } = await createDocumentFixture({
    ...LIMITED,
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST: '1',
    METADATA_DOCUMENT_STALE_SECONDS: '0',
  });
  const [one, other] = [host.publish('/one.json', {}, CACHED), host.publish('/other.json', {}, CACHED)];
  await find(one);
  await find(other);
  await sql(USE_ALL);
  clock.advanceSeconds(600);
  await find(one);
  await expect(find(other)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 60 });
  clock.advanceSeconds(60);
  expect(await find(other)).toMatchObject({ id: other });
});

it('does not let unknown documents use up the fetches of known ones', async () => {
  const { host, find, clock, sql } = await createDocumentFixture({
    ...LIMITED,
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST: '1',
  });
  const url = host.publish('/client.json', {}, CACHED);
  await find(url);
  await sql(USE_ALL);
  clock.advanceSeconds(600);
  for (let n = 1; n <= 5; n += 1)
    await expect(find(host.url(`/unknown-${n}.json`))).rejects.toMatchObject({ reason: 'withdrawn' });
  await find(url);
  expect(host.requested('/client.json')).toHaveLength(2);
});

it('does not let documents of unused clients use up the fetches of used ones at the same host', async () => {
  const { host, find, clock, sql } = await createDocumentFixture({
    ...LIMITED,
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST: '1',
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK: '3',
    METADATA_DOCUMENT_STALE_SECONDS: '0',
  });
  const url = host.publish('/client.json', {}, CACHED);
  await find(url, '203.0.113.0/24');
  await sql(USE_ALL);
  const unused = [1, 2, 3].map((n) => host.publish(`/unused-${n}.json`, {}, CACHED));
  for (const one of unused) await find(one);
  clock.advanceSeconds(600);
  for (const one of unused) await find(one);
  await find(url);
  expect(host.requested('/client.json')).toHaveLength(2);
  clock.advanceSeconds(600);
  // They count by the network that causes the fetch.
  for (const one of unused) await find(one);
  const another = host.publish('/unused-4.json', {}, CACHED);
  await expect(find(another)).rejects.toMatchObject({ code: 'too_many_requests' });
});

it.each([
  ['for lack of room', { METADATA_DOCUMENT_MAX_UNUSED: '2' }, { reason: 'capacity' }],
  [
    'for the limit of a network',
    { METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK: '1' },
    { code: 'too_many_requests' },
  ],
])('refuses %s only that network, of two that ask for a document at once', async (_why, settings, reason) => {
  const { host, find } = await createDocumentFixture({ ...LIMITED, ...settings });
  const [first, other] = ['198.51.100.0/24', '203.0.113.0/24'];
  await find(host.publish('/first.json'), first);
  const url = host.publish('/second.json');
  const outcomes = await Promise.allSettled([find(url, first), find(url, first), find(url, other)]);
  const refused = { status: 'rejected', reason };
  expect(outcomes).toMatchObject([refused, refused, { status: 'fulfilled', value: { id: url } }]);
  expect(host.requested('/second.json')).toHaveLength(1);
});

it('counts one fetch for all requests that wait for it, of an unknown document and of a used one', async () => {
  const { host, find, clock, sql } = await createDocumentFixture({
    ...LIMITED,
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK: '1',
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST: '1',
    METADATA_DOCUMENT_STALE_SECONDS: '0',
  });
  const url = host.publish('/client.json', {}, CACHED);
  for (const fetches of [1, 2]) {
    const clients = await Promise.all(Array.from({ length: 100 }, () => find(url)));
    expect(new Set(clients.map(({ id }) => id))).toEqual(new Set([url]));
    expect(host.requests).toHaveLength(fetches);
    await sql(USE_ALL);
    clock.advanceSeconds(600);
  }
});

it('counts one fetch for a request that read before another one had registered the client, and goes on after it', async () => {
  const { host, find, store } = await createDocumentFixture({
    ...LIMITED,
    METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK: '1',
  });
  const url = host.publish('/client.json', {}, CACHED);
  const { clientDocuments } = store.database;
  const read = clientDocuments.find;
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  clientDocuments.find = async (document) => {
    clientDocuments.find = read;
    const found = await read(document);
    await gate;
    return found;
  };
  const late = find(url);
  expect(await find(url)).toMatchObject({ id: url });
  goOn();
  expect(await late).toMatchObject({ id: url });
  expect(host.requests).toHaveLength(1);
});
