import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { CLIENT_HEADERS, INVALID_TOKEN, information, pathOf, registered, send } from '../support/calls.js';
import { race } from '../support/race.js';

const OPERATOR_MEMBERS = { status: 'active', origin: 'registration' };

it('shows the registration to its own token, and with status and origin to the master token (registration/API.md#read)', async () => {
  const { app } = await buildTestApp();
  const client = await registered(app, { client_name: 'Shop', data: { b: 1, a: 2 } });
  for (const token of [client.registration_access_token, MASTER]) {
    const { status, headers, body } = await send(app, `GET ${pathOf(client.client_id)}`, { token });
    expect({ status, headers }).toEqual({ status: 200, headers: CLIENT_HEADERS });
    expect(JSON.parse(body)).toEqual(token === MASTER ? { ...client, ...OPERATOR_MEMBERS } : client);
  }
});

it('serves the registration at its registration_client_uri', async () => {
  const { app } = await buildTestApp();
  const client = await registered(app, { preferred_client_id: 'a~b.c_d-e' });
  expect(client.registration_client_uri).toBe(`${ISSUER}/clients/a~b.c_d-e`);
  const path = client.registration_client_uri.slice(ISSUER.length);
  expect(information(await send(app, `GET ${path}`, { token: client.registration_access_token }))).toEqual(
    client,
  );
});

it('finds clients whose identifier is a percent-encoded URL', async () => {
  const { app, storeClient } = await buildTestApp();
  const id = 'https://rp.example:8443/path/?a=b&c=d%20e#f';
  await storeClient(id);
  const found = information(await send(app, `GET ${pathOf(id)}`, { token: MASTER }));
  expect(found.client_id).toBe(id);
  expect(found.registration_client_uri).toBe(`${ISSUER}/clients/${encodeURIComponent(id)}`);
  const path = found.registration_client_uri.slice(ISSUER.length);
  expect(information(await send(app, `GET ${path}`, { token: MASTER })).client_id).toBe(id);
});

it('ignores a query, whatever it contains', async () => {
  const { app } = await buildTestApp();
  const client = await registered(app);
  for (const query of ['?', '?id=other', '?id=a&id=b', '?%zz', `?access_token=${'x'.repeat(43)}`])
    expect(
      information(await send(app, `GET ${pathOf(client.client_id)}${query}`, { token: MASTER })),
    ).toEqual({ ...client, ...OPERATOR_MEMBERS });
});

it('renews a secret in the second of its expiry, for either token, and not before', async () => {
  for (const byMaster of [false, true]) {
    const { app, clock } = await buildTestApp({ CLIENT_SECRET_LIFETIME_SECONDS: '60' });
    const client = await registered(app);
    const shown = { ...client, ...(byMaster && OPERATOR_MEMBERS) };
    const token = byMaster ? MASTER : client.registration_access_token;
    const read = async () => information(await send(app, `GET ${pathOf(client.client_id)}`, { token }));
    clock.advanceSeconds(59);
    expect(await read()).toEqual(shown);
    clock.advanceSeconds(1);
    const renewed = await read();
    expect(renewed).toEqual({
      ...shown,
      client_secret: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      client_secret_expires_at: Number(client['client_secret_expires_at']) + 60,
    });
    expect(renewed.client_secret).not.toBe(client.client_secret);
    expect(await read()).toEqual(renewed);
  }
});

it('returns one new secret to parallel reads over two instances', async () => {
  const service = await buildTestApp({ CLIENT_SECRET_LIFETIME_SECONDS: '60' });
  const { app, clock, stored, store } = service;
  const other = await service.anotherInstance();
  const client = await registered(app);
  clock.advanceSeconds(60);
  const responses = await race([service, other], 100, (instance, index) => {
    const token = index % 3 === 0 ? MASTER : client.registration_access_token;
    return send(instance, `GET ${pathOf(client.client_id)}`, { token });
  });
  const secrets = responses.map((response) => information(response).client_secret);
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).not.toBe(client.client_secret);
  expect((await stored(client.client_id))?.version).toBe(2);
  const previous = await store.database.clients.previousSecrets(
    client.client_id as ClientId,
    nowSeconds(clock),
  );
  expect(previous).toHaveLength(1);
});

it('revokes the previous token at the first use of the new one', async () => {
  const { app } = await buildTestApp();
  const client = await registered(app);
  const path = pathOf(client.client_id);
  const body = { client_id: client.client_id, redirect_uris: ['https://app.example/cb'] };
  const updated = information(
    await send(app, `PUT ${path}`, { token: client.registration_access_token, body }),
  );
  const before = client.registration_access_token;
  expect(information(await send(app, `GET ${path}`, { token: before }))).toMatchObject({
    registration_access_token: updated.registration_access_token,
    client_secret: updated.client_secret,
  });
  information(await send(app, `GET ${path}`, { token: MASTER }));
  information(await send(app, `GET ${path}`, { token: before }));
  information(await send(app, `GET ${path}`, { token: updated.registration_access_token }));
  expect(await send(app, `GET ${path}`, { token: before })).toEqual(INVALID_TOKEN);
});
