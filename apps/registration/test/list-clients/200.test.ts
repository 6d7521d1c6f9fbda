import { Readable } from 'node:stream';
import type { EpochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { jsonArrayStream } from '../../src/client-stream.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, LIST_HEADERS, pathOf, registered, send } from '../support/calls.js';

it('returns an empty array if there are no clients (registration/API.md#list)', async () => {
  const { app } = await buildTestApp();
  expect(await send(app, 'GET /clients', { token: MASTER })).toEqual({
    status: 200,
    headers: LIST_HEADERS,
    body: '[]',
  });
});

it('lists every client as a read shows it, in the order of issue', async () => {
  const { app, clock } = await buildTestApp();
  const clients: unknown[] = [];
  for (const name of ['one', 'two', 'three']) {
    const { client_id: id } = await registered(app, { client_name: name, data: { name } });
    clients.push(information(await send(app, `GET ${pathOf(id)}`, { token: MASTER })));
    clock.advanceSeconds(1);
  }
  const { status, headers, body } = await send(app, 'GET /clients', { token: MASTER });
  expect({ status, headers }).toEqual({ status: 200, headers: LIST_HEADERS });
  expect(JSON.parse(body)).toEqual(clients);
});

it('leaves expired clients out, and shows an expired secret without renewing it', async () => {
  const { app, clock, storeClient } = await buildTestApp({ CLIENT_SECRET_LIFETIME_SECONDS: '60' });
  const client = await registered(app);
  await storeClient('expired', { expiresAt: Math.floor(clock.nowMs() / 1000) as EpochSeconds });
  clock.advanceSeconds(60);
  const { body } = await send(app, 'GET /clients', { token: MASTER });
  const listed = { ...client, status: 'active', origin: 'registration' };
  expect(JSON.parse(body)).toEqual([listed]);
  expect(information(await send(app, `GET /clients/${client.client_id}`, { token: MASTER }))).not.toEqual(
    listed,
  );
});

it('lists each of more clients than a page contains', async () => {
  const { app, storeClient } = await buildTestApp();
  const ids = Array.from({ length: 1_001 }, (_, index) => `client-${index}`);
  for (let start = 0; start < ids.length; start += 20)
    await Promise.all(ids.slice(start, start + 20).map((id) => storeClient(id)));
  const listed: { client_id: string }[] = JSON.parse(
    (await send(app, 'GET /clients', { token: MASTER })).body,
  );
  expect(listed.map(({ client_id }) => client_id)).toEqual(ids.toSorted());
});

it('reads the next page only after the previous one was consumed', async () => {
  let read = 0;
  const pages = async function* () {
    for (; read < 50; read += 1) yield [{ page: read }, { page: read }];
  };
  const stream = await jsonArrayStream(pages());
  expect(stream).toBeInstanceOf(Readable);
  const chunks: string[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    expect(read).toBeLessThanOrEqual(chunks.length + 2);
  }
  expect(JSON.parse(chunks.join(''))).toHaveLength(100);
});

it('writes nothing for empty pages', async () => {
  const pages = async function* () {
    yield [];
    yield [1];
    yield [];
    yield [2];
  };
  const chunks: string[] = [];
  for await (const chunk of await jsonArrayStream(pages())) chunks.push(chunk);
  expect(chunks.join('')).toBe('[1,2]');
});
