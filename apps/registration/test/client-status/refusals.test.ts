import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  INVALID_TOKEN,
  information,
  insufficientScope,
  MISSING_TOKEN,
  NO_STORE,
  NOT_FOUND,
  pathOf,
  send,
} from '../support/calls.js';

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true', OPEN_REGISTRATION_APPROVAL: 'true' };
const BODY = { redirect_uris: ['https://app.example/cb'] };

// A registrant that could approve its own client would defeat the approval.
it('refuses every token but the master token, even that of the client', async () => {
  const { app, stored } = await buildTestApp(OPEN);
  const registered = information(await send(app, 'POST /clients', { body: BODY }));
  const other = information(await send(app, 'POST /clients', { body: BODY }));
  const url = `${pathOf(registered.client_id)}/status`;
  const body = { status: 'active' };
  expect(await send(app, `PUT ${url}`, { body })).toEqual(MISSING_TOKEN);
  expect(await send(app, `GET ${url}`)).toEqual(MISSING_TOKEN);
  expect(await send(app, `PUT ${url}`, { token: registered.registration_access_token, body })).toEqual(
    insufficientScope('The access token does not permit changing the status of clients.'),
  );
  for (const token of [other.registration_access_token, 'x'.repeat(43)]) {
    expect(await send(app, `PUT ${url}`, { token, body })).toEqual(INVALID_TOKEN);
    expect(await send(app, `GET ${url}`, { token })).toEqual(INVALID_TOKEN);
  }
  expect(await send(app, 'PUT /clients/unknown/status', { token: MASTER, body })).toEqual(NOT_FOUND);
  expect(await send(app, 'GET /clients/unknown/status', { token: MASTER })).toEqual(NOT_FOUND);
  expect(await send(app, `DELETE ${url}`, { token: MASTER })).toEqual({
    status: 405,
    headers: { ...NO_STORE, allow: 'GET, PUT' },
    body: '',
  });
  expect(await stored(registered.client_id)).toMatchObject({ status: 'pending', version: 1 });
});

it('refuses every other status', async () => {
  const { app, stored } = await buildTestApp(OPEN);
  const { client_id: id } = information(await send(app, 'POST /clients', { body: BODY }));
  const bodies = [
    {},
    { status: 'pending' },
    { status: 'rejected' },
    { status: null },
    { status: ['active'] },
  ];
  for (const body of [...bodies, { status: 'active', more: 1 }, [], 'active', null]) {
    const response = await send(app, `PUT ${pathOf(id)}/status`, { token: MASTER, body });
    expect(response, JSON.stringify(body)).toMatchObject({ status: 400 });
    expect(JSON.parse(response.body)).toMatchObject({ error: 'invalid_request' });
  }
  expect(await stored(id)).toMatchObject({ status: 'pending', version: 1 });
});
