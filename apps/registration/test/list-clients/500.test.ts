import { expect, it } from 'vitest';
import { buildApp } from '../../src/index.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { FAULT, registered, send } from '../support/calls.js';

it('responds without a body if the database is unavailable', async () => {
  const { app, store } = await buildTestApp();
  await registered(app);
  await store.close();
  for (const token of [MASTER, 'x'.repeat(43)])
    expect(await send(app, 'GET /clients', { token }), token).toEqual(FAULT);
});

it('aborts the response if a later page fails, so that a partial list is not mistaken for the whole', async () => {
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
