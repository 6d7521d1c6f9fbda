import type { ClientId } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  insufficientScope,
  NO_CONTENT,
  NOT_FOUND,
  pathOf,
  registered,
  send,
} from '../support/calls.js';
import { race } from '../support/race.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

it('deletes a client for its own token and for the master token (registration/API.md#delete)', async () => {
  const { app, all } = await buildTestApp();
  const [one, other] = [await registered(app), await registered(app)];
  expect(
    await send(app, `DELETE ${pathOf(one.client_id)}`, { token: one.registration_access_token }),
  ).toEqual(NO_CONTENT);
  expect((await all()).map(({ id }) => id)).toEqual([other.client_id]);
  expect(await send(app, `DELETE ${pathOf(other.client_id)}`, { token: MASTER })).toEqual(NO_CONTENT);
  expect(await all()).toEqual([]);
});

it('ignores a body, whatever it is', async () => {
  const { app } = await buildTestApp();
  for (const payload of ['', '{"client_id":"other"}', '{', '[]', '\u0000', '{"a":1,"a":2}']) {
    const client = await registered(app);
    const call = { token: MASTER, payload, headers: { 'content-type': 'application/json' } };
    expect(await send(app, `DELETE ${pathOf(client.client_id)}`, call), payload).toEqual(NO_CONTENT);
  }
});

it('revokes every token of the client, and deletes its registration', async () => {
  const { app, accessToken, store } = await buildTestApp();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const identifier = await accessToken('identifier', client.client_id);
  const jwt = await accessToken('jwt', client.client_id);
  for (const token of [identifier, jwt])
    expect(await send(app, 'POST /clients', { token, body: BODY })).toEqual(
      insufficientScope('The access token does not permit registration.'),
    );
  expect(await send(app, `DELETE ${path}`, { token: MASTER })).toEqual(NO_CONTENT);
  for (const token of [identifier, jwt])
    expect(await send(app, 'POST /clients', { token, body: BODY })).toEqual(INVALID_TOKEN);
  expect(
    await store.database.accessTokens.find(store.digester.availableDigests('access-token', identifier)),
  ).toBe(undefined);
  for (const method of ['GET', 'DELETE']) {
    expect(await send(app, `${method} ${path}`, { token: client.registration_access_token })).toEqual(
      INVALID_TOKEN,
    );
    expect(await send(app, `${method} ${path}`, { token: MASTER })).toEqual(NOT_FOUND);
  }
});

it.each(['registration', 'master'])(
  'succeeds for exactly one of parallel callers with the %s token',
  async (kind) => {
    const service = await buildTestApp();
    const { app, stored } = service;
    const other = await service.anotherInstance();
    const client = await registered(app);
    const token = kind === 'master' ? MASTER : client.registration_access_token;
    const responses = await race([service, other], 100, (instance) =>
      send(instance, `DELETE ${pathOf(client.client_id)}`, { token }),
    );
    expect(responses.filter(({ status }) => status === 204)).toEqual([NO_CONTENT]);
    const refusal = kind === 'master' ? NOT_FOUND : INVALID_TOKEN;
    expect(responses.filter(({ status }) => status !== 204)).toEqual(Array(99).fill(refusal));
    expect(await stored(client.client_id as ClientId)).toBeUndefined();
  },
);
