import { openDatabase } from '@vestibule/database';
import { expect, it } from 'vitest';
import { buildApp } from '../../src/index.js';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { FAULT, registered, send } from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

it('responds without a body if the database is unavailable, and never as for an invalid token', async () => {
  const { app, store, initialToken } = await buildTestApp();
  const token = await initialToken('client-reg');
  await store.close();
  for (const each of [MASTER, token, 'x'.repeat(43)])
    expect(await send(app, 'POST /clients', { token: each, body: BODY }), each).toEqual(FAULT);
});

it('neither registers nor consumes a use if a fault occurs while the client is created', async () => {
  const { deps, initialToken, usesLeft, all } = await buildTestApp();
  const dead = openDatabase({ url: 'postgres://user:nothing@127.0.0.1:1/none' });
  const broken = buildApp({ ...deps, clients: dead.clients }, { logger: false });
  const token = await initialToken('client-reg');
  expect(await send(broken, 'POST /clients', { token, body: BODY })).toEqual(FAULT);
  expect(await usesLeft(token)).toBe(1);
  expect(await all()).toEqual([]);
  const whole = buildApp(deps, { logger: false });
  await registered(whole, {}, token);
  await Promise.all([broken.close(), whole.close(), dead.close()]);
});
