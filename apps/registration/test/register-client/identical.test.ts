import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { CLIENT_HEADERS, pathOf, send } from '../support/calls.js';

const REUSE = {
  ALLOW_OPEN_REGISTRATION: 'true',
  OPEN_REGISTRATION_REUSE: 'true',
  RATE_LIMITS_ENABLED: 'false',
};
const BODY = {
  client_name: 'Editor',
  redirect_uris: ['cursor://editor/callback', 'http://127.0.0.1:40312/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

describe('with OPEN_REGISTRATION_REUSE', () => {
  it('30 identical registrations at once, at two instances, get one client', async () => {
    const { app, anotherInstance, all } = await buildTestApp(REUSE);
    const { app: other } = await anotherInstance();
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        send(index % 2 === 0 ? app : other, 'POST /clients', { body: BODY }),
      ),
    );
    for (const { status, headers } of responses)
      expect({ status, headers }).toEqual({ status: 200, headers: CLIENT_HEADERS });
    const [client, ...others] = await all();
    expect(others).toEqual([]);
    const ids = new Set(responses.map(({ body }) => JSON.parse(body).client_id));
    expect([...ids]).toEqual([client?.id]);
  });

  it('a registrant gets no authority over the client of all, whatever it sends', async () => {
    const { app, stored } = await buildTestApp(REUSE);
    const { body } = await send(app, 'POST /clients', { body: BODY });
    const { client_id: id, ...registration } = JSON.parse(body);
    expect(Object.keys(registration).filter((name) => /token$|uri$|secret/.test(name))).toEqual([]);
    for (const token of [id, 'x'.repeat(43)])
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(
          (await send(app, `${method} ${pathOf(id)}`, { token, ...(method === 'PUT' && { body: BODY }) }))
            .status,
        ).toBe(401);
    const rotation = await send(app, `POST ${pathOf(id)}/registration-token`, { token: MASTER });
    expect(rotation).toMatchObject({
      status: 400,
      body: expect.stringContaining('no registration access token'),
    });
    expect(await stored(id)).not.toHaveProperty('registrationToken');
  });

  it('the operator reads, changes and deletes the client as any other', async () => {
    const { app } = await buildTestApp(REUSE);
    const register = async () =>
      JSON.parse((await send(app, 'POST /clients', { body: BODY })).body).client_id;
    const id = await register();
    const read = await send(app, `GET ${pathOf(id)}`, { token: MASTER });
    expect(JSON.parse(read.body)).toMatchObject({
      registration_client_uri: expect.stringContaining(id),
      origin: 'open_registration',
    });
    expect((await send(app, `DELETE ${pathOf(id)}`, { token: MASTER })).status).toBe(204);
    expect(await register()).not.toBe(id);
  });
});

it('without it each registration gets a client of its own, which it can manage', async () => {
  const { app } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
  const register = async () => JSON.parse((await send(app, 'POST /clients', { body: BODY })).body);
  const [one, other] = [await register(), await register()];
  expect(one.client_id).not.toBe(other.client_id);
  const read = await send(app, `GET ${pathOf(one.client_id)}`, { token: one.registration_access_token });
  expect(read.status).toBe(200);
});
