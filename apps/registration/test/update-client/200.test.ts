import { describe, expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  CLIENT_HEADERS,
  INVALID_TOKEN,
  type Information,
  information,
  pathOf,
  registered,
  send,
} from '../support/calls.js';

const CALLBACK = 'https://app.example/cb';

describe('PUT /clients/{id} with valid metadata', () => {
  it('accepts a read registration with changes, and returns the whole new registration (registration/API.md#update)', async () => {
    const { app, clock } = await buildTestApp();
    const client = await registered(app, { client_name: 'Shop', data: { a: 1 } });
    const { client_id: id, registration_access_token: token } = client;
    clock.advanceSeconds(100);
    const read = information(await send(app, `GET ${pathOf(id)}`, { token }));
    const response = await send(app, `PUT ${pathOf(id)}`, { token, body: { ...read, client_name: 'New' } });
    const updated: Information = JSON.parse(response.body);
    for (const member of ['client_secret', 'registration_access_token'] as const) {
      expect(updated[member]).toMatch(/^[A-Za-z0-9]{43}$/);
      expect(updated[member]).not.toBe(client[member]);
    }
    expect(response).toEqual({
      status: 200,
      headers: CLIENT_HEADERS,
      body: JSON.stringify({
        ...client,
        client_secret: updated.client_secret,
        registration_access_token: updated.registration_access_token,
        client_name: 'New',
      }),
    });
    const again = await send(app, `GET ${pathOf(id)}`, { token: updated.registration_access_token });
    expect(information(again)).toEqual(updated);
  });

  it('replaces: a missing or null member gets its default (RFC 7592 section 2.2)', async () => {
    const { app, initialToken } = await buildTestApp();
    const optional = {
      client_name: 'Shop',
      logo_uri: 'https://app.example/logo',
      scope: 'openid',
      data: { a: 1 },
    };
    const plain = await registered(app);
    for (const rest of [
      {},
      { client_name: null, logo_uri: null, scope: null, data: null, application_type: null },
    ]) {
      const native = { ...optional, application_type: 'native' };
      const client = await registered(app, native, await initialToken('client-reg'));
      const body = { client_id: client.client_id, redirect_uris: [CALLBACK], ...rest };
      const updated = information(
        await send(app, `PUT ${pathOf(client.client_id)}`, { token: client.registration_access_token, body }),
      );
      expect(Object.keys(updated)).toEqual(Object.keys(plain));
      expect(updated['application_type']).toBe('web');
    }
  });

  it('issues a secret when a client needs one for the first time, and drops it when it is not needed any more', async () => {
    const { app } = await buildTestApp();
    const client = await registered(app, { token_endpoint_auth_method: 'none' });
    expect(client.client_secret).toBeUndefined();
    const path = pathOf(client.client_id);
    const body = { client_id: client.client_id, redirect_uris: [CALLBACK] };
    const confidential = information(await send(app, `PUT ${path}`, { token: MASTER, body }));
    expect(confidential).toMatchObject({ client_secret: expect.any(String), client_secret_expires_at: 0 });
    const isPublic = { ...body, token_endpoint_auth_method: 'none' };
    const dropped = information(await send(app, `PUT ${path}`, { token: MASTER, body: isPublic }));
    expect(Object.keys(dropped)).not.toContain('client_secret');
    expect(Object.keys(dropped)).not.toContain('client_secret_expires_at');
  });

  it('keeps secret and token if the settings say so', async () => {
    const { app } = await buildTestApp({
      ROTATE_SECRET_ON_UPDATE: 'false',
      ROTATE_REGISTRATION_TOKEN_ON_UPDATE: 'false',
    });
    const client = await registered(app);
    for (const token of [client.registration_access_token, MASTER]) {
      const body = { ...client, client_name: 'New' };
      const response = await send(app, `PUT ${pathOf(client.client_id)}`, { token, body });
      expect(information(response)).toEqual({ ...client, client_name: 'New' });
    }
  });

  it('lets the master token exceed the scopes of the client, which may keep what it was given', async () => {
    const { app, initialToken } = await buildTestApp();
    const client = await registered(app, {}, await initialToken('client-reg:grant:code'));
    const path = pathOf(client.client_id);
    const body = { client_id: client.client_id, redirect_uris: [CALLBACK], data: { a: 1 } };
    const given = information(await send(app, `PUT ${path}`, { token: MASTER, body }));
    const own = { ...given, client_name: 'Own' };
    const kept = information(
      await send(app, `PUT ${path}`, { token: given.registration_access_token, body: own }),
    );
    expect(kept).toMatchObject({ client_name: 'Own', data: { a: 1 } });
  });

  it('keeps the data of the operator if a client without the scope for it leaves it out', async () => {
    const { app } = await buildTestApp();
    const client = await registered(app, { client_name: 'Shop', data: { a: 1 } });
    const body = { client_id: client.client_id, redirect_uris: [CALLBACK] };
    const call = { token: client.registration_access_token, body };
    const evaluated = await send(app, `PUT ${pathOf(client.client_id)}?dry_run=true`, call);
    expect(JSON.parse(evaluated.body)).toMatchObject({ data: { a: 1 } });
    const updated = information(await send(app, `PUT ${pathOf(client.client_id)}`, call));
    expect(updated).toMatchObject({ data: { a: 1 } });
    expect(updated).not.toHaveProperty('client_name');
  });

  it('finds a client whose identifier is a percent-encoded URL', async () => {
    const { app, storeClient } = await buildTestApp();
    const id = 'https://rp.example/path';
    await storeClient(id);
    const body = { client_id: id, redirect_uris: [CALLBACK] };
    expect(information(await send(app, `PUT ${pathOf(id)}`, { token: MASTER, body })).client_id).toBe(id);
  });
});

describe('the previous registration access token of an update', () => {
  const update = async (app: Parameters<typeof send>[0], id: string, token: string) => {
    const body = { client_id: id, redirect_uris: [CALLBACK] };
    return send(app, `PUT ${pathOf(id)}`, { token, body });
  };

  it('works until the new one is first used, so that a lost response does not lock the client out', async () => {
    const { app } = await buildTestApp();
    const { client_id: id, registration_access_token: first } = await registered(app);
    const lost = information(await update(app, id, first));
    const repeated = information(await update(app, id, first));
    expect(repeated).toEqual(lost);
    information(await send(app, `GET ${pathOf(id)}`, { token: first }));
    information(await update(app, id, repeated.registration_access_token));
    expect(await send(app, `GET ${pathOf(id)}`, { token: first })).toEqual(INVALID_TOKEN);
  });

  it('works for ten minutes at most, however often it is used', async () => {
    const { app, clock } = await buildTestApp();
    const { client_id: id, registration_access_token: first } = await registered(app);
    information(await update(app, id, first));
    clock.advanceSeconds(300);
    information(await update(app, id, first));
    clock.advanceSeconds(299);
    const last = information(await update(app, id, first));
    clock.advanceSeconds(1);
    expect(await update(app, id, first)).toEqual(INVALID_TOKEN);
    expect(await send(app, `GET ${pathOf(id)}`, { token: first })).toEqual(INVALID_TOKEN);
    expect(await send(app, `DELETE ${pathOf(id)}`, { token: first })).toEqual(INVALID_TOKEN);
    information(await send(app, `GET ${pathOf(id)}`, { token: last.registration_access_token }));
  });

  it('is accepted in the body in place of the current one, as the client read it', async () => {
    const { app } = await buildTestApp();
    const client = await registered(app);
    const token = client.registration_access_token;
    const path = pathOf(client.client_id);
    information(await update(app, client.client_id, token));
    const read = information(await send(app, `GET ${path}`, { token }));
    information(await send(app, `PUT ${path}`, { token, body: read }));
  });
});
