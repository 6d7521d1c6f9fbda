import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { badRequest, JSON_HEADERS, pathOf, registered, send } from '../support/calls.js';
import { HOSTILE_BODIES, OTHER_MEDIA_TYPES } from '../support/hostile-bodies.js';

it('refuses hostile bodies and other media types, and changes nothing', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const before = await stored(client.client_id);
  const path = pathOf(client.client_id);
  for (const token of [client.registration_access_token, MASTER]) {
    for (const [payload, description] of HOSTILE_BODIES)
      expect(await send(app, `PUT ${path}`, { token, payload }), payload.toString().slice(0, 80)).toEqual(
        badRequest('invalid_request', description),
      );
    for (const type of OTHER_MEDIA_TYPES) {
      const response = await send(app, `PUT ${path}`, {
        token,
        body: client,
        headers: { 'content-type': type },
      });
      expect(response.status, type).toBe(400);
      expect(JSON.parse(response.body).error, type).toBe('invalid_request');
    }
  }
  expect(await stored(client.client_id)).toEqual(before);
});

it('requires the identifier of the client in the body', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const foreign = await registered(app);
  const before = await stored(client.client_id);
  const { client_id: _, ...without } = client;
  const wrong = [
    foreign.client_id,
    client.client_id.toLowerCase(),
    `${client.client_id} `,
    '',
    null,
    1,
    [client.client_id],
  ];
  for (const body of [without, ...wrong.map((id) => ({ ...client, client_id: id }))])
    for (const token of [client.registration_access_token, MASTER])
      expect(await send(app, `PUT ${pathOf(client.client_id)}`, { token, body })).toEqual(
        badRequest('invalid_request', 'client_id: must be the identifier of the client'),
      );
  expect(await stored(client.client_id)).toEqual(before);
});

it('accepts issued members only with their current values', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const foreign = await registered(app);
  const before = await stored(client.client_id);
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    client_secret: [foreign.client_secret, 'chosen-by-the-client-0123456789-0123456789', '', 1, {}],
    client_secret_expires_at: [1, '0', true, 1_893_456_000],
    registration_access_token: [foreign.registration_access_token, MASTER, '', []],
    registration_client_uri: [foreign.registration_client_uri, `${ISSUER}/clients`, '', {}],
    client_id_issued_at: [0, 1, '1780315200', 1_780_315_200.5],
  };
  for (const [member, values] of Object.entries(wrong))
    for (const value of values)
      for (const token of [client.registration_access_token, MASTER])
        expect(
          await send(app, `PUT ${pathOf(client.client_id)}`, { token, body: { ...client, [member]: value } }),
          `${member} ${JSON.stringify(value)}`,
        ).toEqual(badRequest('invalid_request', `${member}: must be absent or have its current value`));
  expect(await stored(client.client_id)).toEqual(before);
});

it('refuses a secret that an update has replaced', async () => {
  const { app } = await buildTestApp();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const body = { client_id: client.client_id, redirect_uris: ['https://app.example/cb'] };
  expect((await send(app, `PUT ${path}`, { token: MASTER, body })).status).toBe(200);
  const stale = { ...body, client_secret: client.client_secret };
  expect(await send(app, `PUT ${path}`, { token: MASTER, body: stale })).toEqual(
    badRequest('invalid_request', 'client_secret: must be absent or have its current value'),
  );
});

it('refuses what a registration would refuse, and leaves the client unchanged', async () => {
  const { app, stored } = await buildTestApp();
  const client = await registered(app);
  const before = await stored(client.client_id);
  const bad: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: ['http://app.example/cb'] }],
    ['invalid_redirect_uri', { redirect_uris: { not: '' } }],
    ['invalid_client_metadata', { post_logout_redirect_uris: ['javascript:alert(1)'] }],
    ['invalid_client_metadata', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['invalid_client_metadata', { grant_types: ['implicit'], response_types: ['code'] }],
    ['invalid_client_metadata', { data: [] }],
    ['invalid_software_statement', { software_statement: 'e30.e30.e30' }],
    ['invalid_request', { preferred_client_id: 'another' }],
    ['invalid_request', { preferred_client_secret: 's'.repeat(32) }],
  ];
  for (const [error, member] of bad) {
    const { status, headers, body } = await send(app, `PUT ${pathOf(client.client_id)}`, {
      token: MASTER,
      body: { ...client, ...member },
    });
    expect({ status, headers }, body).toEqual({ status: 400, headers: JSON_HEADERS });
    expect(JSON.parse(body).error, body).toBe(error);
  }
  expect(await stored(client.client_id)).toEqual(before);
});
