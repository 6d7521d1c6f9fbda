import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { FAULT, pathOf, registered, send } from '../support/calls.js';

it('responds without a body if the database is unavailable, and never as for an unknown client', async () => {
  const { app, store } = await buildTestApp();
  const client = await registered(app);
  await store.close();
  for (const token of [client.registration_access_token, MASTER, 'x'.repeat(43)]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = { client_id: client.client_id, redirect_uris: ['https://app.example/cb'] };
      const call = method === 'PUT' ? { token, body } : { token };
      expect(await send(app, `${method} ${pathOf(client.client_id)}`, call), method).toEqual(FAULT);
    }
  }
});

it('reveals nothing about the fault except in the log', async () => {
  const { app, store } = await buildTestApp();
  await store.close();
  const response = await app.inject({ url: '/clients', headers: { authorization: `Bearer ${MASTER}` } });
  expect(response.rawPayload).toHaveLength(0);
  expect(Object.keys(response.headers).sort()).toEqual([
    'cache-control',
    'connection',
    'content-length',
    'date',
    'pragma',
  ]);
});
