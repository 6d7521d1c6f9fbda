import { expect, it } from 'vitest';
import { buildApp } from '../../src/index.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { FAULT, registered, send } from '../support/calls.js';

it('answers empty when the database is gone', async () => {
  const { app, store } = await buildTestApp();
  await registered(app);
  await store.close();
  for (const token of [MASTER, 'x'.repeat(43)])
    expect(await send(app, 'GET /clients', { token }), token).toEqual(FAULT);
});

it('breaks the response off when a later page fails, so that nobody takes a part for the whole', async () => {
  const { deps, stored, app: whole } = await buildTestApp();
  const client = await stored((await registered(whole)).client_id);
  const list = async function* () {
    if (client) yield [client];
    throw new Error('the database went away');
  };
  const app = buildApp({ ...deps, clients: { ...deps.clients, list } }, { logger: false });
  await expect(send(app, 'GET /clients', { token: MASTER })).rejects.toThrow();
  await app.close();
});
