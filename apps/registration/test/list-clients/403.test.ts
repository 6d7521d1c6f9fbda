import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { insufficientScope, registered, send } from '../support/calls.js';

it('refuses valid tokens other than the master token, whatever they permit elsewhere', async () => {
  const { app, initialToken, accessToken, usesLeft } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const initial = await initialToken('client-reg');
  const tokens = [initial, await accessToken('identifier', id), await accessToken('jwt', id)];
  for (const token of tokens)
    expect(await send(app, 'GET /clients', { token }), token).toEqual(
      insufficientScope('The access token does not permit listing clients.'),
    );
  expect(await usesLeft(initial)).toBe(1);
});

it('refuses them before it checks the query', async () => {
  const { app, initialToken } = await buildTestApp();
  expect(await send(app, 'GET /clients?limit=abc', { token: await initialToken('client-reg') })).toEqual(
    insufficientScope('The access token does not permit listing clients.'),
  );
});
