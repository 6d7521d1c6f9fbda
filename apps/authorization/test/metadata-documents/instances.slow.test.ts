import { ThrottledError } from '@vestibule/protocol';
import { runningTime } from '@vestibule/testkit';
import { expect, it, vi } from 'vitest';
import { composeAuthorization } from '../../src/index.js';
import { createDocumentFixture, NETWORK } from '../support/document-fixture.js';
import { startDocumentHost } from '../support/document-host.js';
import { anotherInstance, authorizeAtFiveInstances, LEAST_WAIT_MS } from '../support/other-instance.js';

/** Shorter than any request waits for a host that hangs. */
const HANGING_MS = 2_400;

it('fetches a document once for parallel authorization requests at five instances', async () => {
  const fixture = await createDocumentFixture();
  const statuses = await authorizeAtFiveInstances(fixture, 200);
  expect(new Set(statuses)).toEqual(new Set([303]));
  expect(fixture.host.requests).toHaveLength(1);
  expect(await fixture.sql('SELECT count(*)::integer AS count FROM client')).toEqual([{ count: 1 }]);
});

it('remembers a refusal for every instance', async () => {
  const fixture = await createDocumentFixture({ METADATA_DOCUMENT_RETRY_SECONDS: '10' });
  const { deps } = await anotherInstance(fixture);
  const url = fixture.host.publish('/client.json', { client_secret: 'secret' });
  await expect(fixture.find(url)).rejects.toMatchObject({ reason: 'secret' });
  await expect(deps.documents?.find(url as never, NETWORK)).rejects.toMatchObject({ reason: 'secret' });
  expect(fixture.host.requests).toHaveLength(1);
});

it('takes over the validation of an instance that ended in the middle of it', async () => {
  const { host, find, sql } = await createDocumentFixture();
  const url = host.publish('/client.json');
  const begunMs = performance.now();
  await sql(
    `INSERT INTO client_metadata_document (url, history, leased_until) VALUES ($1, '[]', now() + interval '200 ms')`,
    [url],
  );
  const attempt = async () => {
    const sentMs = performance.now();
    try {
      return await find(url);
    } catch (error) {
      if (!(error instanceof ThrottledError)) throw error;
      expect(performance.now() - sentMs).toBeGreaterThan(LEAST_WAIT_MS);
      return undefined;
    }
  };
  expect(await vi.waitUntil(attempt, { timeout: 60_000 })).toMatchObject({ id: url });
  expect(performance.now() - begunMs).toBeGreaterThan(150);
});

it('seldom asks the store while another instance waits for a host, and then tells the client to come back', async () => {
  const { host, config, store, clock, sql } = await createDocumentFixture();
  const { clientDocuments } = store.database;
  let statements = 0;
  const counted = <Call extends (...args: never[]) => unknown>(call: Call) =>
    ((...args) => {
      statements += 1;
      return call(...args);
    }) as Call;
  const { documents } = composeAuthorization(
    config,
    {
      ...store,
      database: {
        ...store.database,
        clientDocuments: {
          ...clientDocuments,
          find: counted(clientDocuments.find),
          lease: counted(clientDocuments.lease),
        },
      },
    },
    { clock },
  );
  const url = host.publish('/client.json');
  await sql(
    `INSERT INTO client_metadata_document (url, history, leased_until) VALUES ($1, '[]', now() + interval '1 hour')`,
    [url],
  );
  await expect(documents?.find(url as never, NETWORK)).rejects.toThrow(ThrottledError);
  expect(statements).toBeGreaterThan(3);
  expect(statements).toBeLessThan(35);
});

it('does not let a request wait for a host that hangs at two instances in turn', async () => {
  const fixture = await createDocumentFixture();
  const { host, find } = fixture;
  const { deps } = await anotherInstance(fixture);
  host.hang();
  const url = host.publish('/client.json');
  const first = find(url).catch((error: unknown) => error);
  await expect.poll(() => host.requests.length).toBe(1);
  await expect(deps.documents?.find(url as never, NETWORK)).rejects.toThrow();
  await first;
  expect(host.requests).toHaveLength(1);
});

it('serves clients of other hosts while a host hangs', async () => {
  const hanging = await startDocumentHost();
  const fixture = await createDocumentFixture();
  const { host, config, store, clock } = fixture;
  const hosts = `${host.host},${hanging.host}`;
  hanging.hang();
  const both = {
    ...config,
    CLIENT_ID_METADATA_DOCUMENTS: new Set(hosts.split(',')),
    EGRESS_ALLOW_HOSTS: hosts.split(','),
  };
  const { documents } = composeAuthorization(both, store, { clock });
  const find = async (url: string) => documents?.find(url as never, NETWORK);
  const slow = Array.from({ length: 100 }, (_, index) =>
    find(hanging.url(`/${index}.json`)).catch(() => 'refused'),
  );
  const time = runningTime();
  expect(await find(host.publish('/client.json'))).toMatchObject({ status: 'active' });
  expect(time.end()).toBeLessThan(HANGING_MS);
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['refused']));
});

it('fetches keys while more hosts of documents hang than may be asked at once', async () => {
  const hanging = await Promise.all(Array.from({ length: 20 }, startDocumentHost));
  const keys = await startDocumentHost();
  keys.serve('/keys', { body: '{"keys":[]}' });
  const { config, store, clock } = await createDocumentFixture();
  const hosts = [...hanging, keys].map(({ host }) => host);
  const { documents, egress } = composeAuthorization(
    { ...config, CLIENT_ID_METADATA_DOCUMENTS: new Set(hosts), EGRESS_ALLOW_HOSTS: hosts },
    store,
    { clock },
  );
  const slow = hanging.map((host) => {
    host.hang();
    return documents?.find(host.url('/client.json') as never, NETWORK).catch(() => 'refused');
  });
  await expect.poll(() => hanging.filter(({ requests }) => requests.length > 0).length).toBe(16);
  const time = runningTime();
  const json = ['application/json'];
  expect(
    await egress.fetchDocument({ url: keys.url('/keys'), accept: '*/*', mediaTypes: json, maxBytes: 1_000 }),
  ).toMatchObject({ outcome: 'ok' });
  expect(time.end()).toBeLessThan(HANGING_MS);
  await Promise.all(hanging.map(({ stop }) => stop()));
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['refused']));
});
