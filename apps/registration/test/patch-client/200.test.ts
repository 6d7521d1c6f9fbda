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

const SHOP = {
  client_name: 'Shop',
  'client_name#de': 'Laden',
  contacts: ['a@app.example', 'b@app.example'],
  logo_uri: 'https://app.example/logo',
  data: { tier: 'gold', limits: { daily: 5, monthly: 100 }, tags: [{ a: 1 }] },
};

describe('PATCH /clients/{id}', () => {
  it('changes the members that it contains and leaves the others unchanged (RFC 5789, RFC 7396)', async () => {
    const { app, clock } = await buildTestApp();
    const client = await registered(app, SHOP);
    const { client_id: id, registration_access_token: token } = client;
    clock.advanceSeconds(100);
    const body = { contacts: ['c@app.example'], 'client_name#de': null, 'client_name#fr': 'Magasin' };
    const response = await send(app, `PATCH ${pathOf(id)}`, { token, body });
    const patched: Information = JSON.parse(response.body);
    for (const member of ['client_secret', 'registration_access_token'] as const) {
      expect(patched[member]).toMatch(/^[A-Za-z0-9]{43}$/);
      expect(patched[member]).not.toBe(client[member]);
    }
    const { 'client_name#de': _, ...rest } = client;
    expect({ status: response.status, headers: response.headers }).toEqual({
      status: 200,
      headers: CLIENT_HEADERS,
    });
    expect(patched).toEqual({
      ...rest,
      'client_name#fr': 'Magasin',
      contacts: ['c@app.example'],
      client_secret: patched.client_secret,
      registration_access_token: patched.registration_access_token,
    });
    const again = await send(app, `GET ${pathOf(id)}`, { token: patched.registration_access_token });
    expect(information(again)).toEqual(patched);
  });

  it('sets null members to their defaults, like an update that leaves them out', async () => {
    const { app, initialToken } = await buildTestApp();
    const plain = await registered(app);
    const optional = { ...SHOP, application_type: 'native', scope: 'openid' };
    const client = await registered(app, optional, await initialToken('client-reg'));
    const names = [...Object.keys(SHOP), 'application_type', 'scope'];
    const body = Object.fromEntries(names.map((name) => [name, null]));
    const token = client.registration_access_token;
    const patched = information(await send(app, `PATCH ${pathOf(client.client_id)}`, { token, body }));
    expect(Object.keys(patched)).toEqual(Object.keys(plain));
    expect(patched['application_type']).toBe('web');
  });

  it('merges the objects of data and replaces its arrays', async () => {
    const { app } = await buildTestApp();
    const { client_id: id } = await registered(app, SHOP);
    const patch = async (data: unknown) =>
      information(await send(app, `PATCH ${pathOf(id)}`, { token: MASTER, body: { data } }))['data'];
    expect(await patch({ limits: { daily: null, weekly: 20 }, tags: [{ b: null }] })).toEqual({
      tier: 'gold',
      limits: { monthly: 100, weekly: 20 },
      tags: [{ b: null }],
    });
    expect(await patch({})).toMatchObject({ tier: 'gold' });
    expect(await patch({ limits: null, tier: null, tags: null })).toEqual({});
    expect(await patch(null)).toBeUndefined();
    expect(await patch({ new: { deep: { gone: null, kept: 1 } } })).toEqual({ new: { deep: { kept: 1 } } });
  });

  it('that is empty, or has only unknown members, is an update that changes only credentials', async () => {
    const { app } = await buildTestApp({
      ROTATE_SECRET_ON_UPDATE: 'false',
      ROTATE_REGISTRATION_TOKEN_ON_UPDATE: 'false',
    });
    const client = await registered(app, SHOP);
    const token = client.registration_access_token;
    for (const body of [{}, { unknown: { a: 1 } }, { client_name: 'Shop' }, client])
      expect(information(await send(app, `PATCH ${pathOf(client.client_id)}`, { token, body }))).toEqual(
        client,
      );
  });

  it('accepts issued members with their current values', async () => {
    const { app } = await buildTestApp();
    const client = await registered(app);
    const { client_id, client_secret, registration_access_token: token } = client;
    const body = { client_id, client_secret, registration_access_token: token, client_name: 'New' };
    const patched = information(await send(app, `PATCH ${pathOf(client_id)}`, { token, body }));
    expect(patched).toMatchObject({ client_id, client_name: 'New' });
  });

  it('accepts changes of members that depend on each other', async () => {
    const { app } = await buildTestApp();
    const { client_id: id } = await registered(app, { jwks_uri: 'https://app.example/jwks' });
    const patch = async (body: unknown) =>
      information(await send(app, `PATCH ${pathOf(id)}`, { token: MASTER, body }));
    const machine = await patch({ grant_types: ['client_credentials'], response_types: [] });
    expect(machine).toMatchObject({ grant_types: ['client_credentials'], response_types: [] });
    const browser = await patch({ grant_types: null, response_types: null });
    expect(browser).toMatchObject({ grant_types: ['authorization_code'], response_types: ['code'] });
    const jwks = { keys: [] };
    expect(await patch({ jwks, jwks_uri: null })).toMatchObject({ jwks });
  });

  it('that is repeated after a lost response works with the previous token', async () => {
    const { app } = await buildTestApp();
    const client = await registered(app);
    const path = pathOf(client.client_id);
    const call = {
      token: client.registration_access_token,
      body: { client_secret: client.client_secret, client_name: 'New' },
    };
    const lost = information(await send(app, `PATCH ${path}`, call));
    const repeated = information(await send(app, `PATCH ${path}`, call));
    expect(repeated).toEqual(lost);
    const token = repeated.registration_access_token;
    information(await send(app, `PATCH ${path}`, { token, body: { client_name: 'Newer' } }));
    expect(await send(app, `PATCH ${path}`, call)).toEqual(INVALID_TOKEN);
  });

  it('is checked by a dry run, which changes nothing', async () => {
    const { app, initialToken, stored } = await buildTestApp();
    const client = await registered(app, SHOP, await initialToken('client-reg'));
    const { client_id: id, registration_access_token: token } = client;
    const before = await stored(id);
    const body = { client_name: 'New', data: { tier: null } };
    const {
      status,
      headers,
      body: text,
    } = await send(app, `PATCH ${pathOf(id)}?dry_run=true`, { token, body });
    const effective = JSON.parse(text);
    expect({ status, etag: headers['etag'] }).toEqual({ status: 200, etag: undefined });
    expect(effective).toMatchObject({ client_id: id, client_name: 'New', 'client_name#de': 'Laden' });
    expect(effective.data).not.toHaveProperty('tier');
    expect(effective).not.toHaveProperty('client_secret');
    expect(await stored(id)).toEqual(before);
  });

  it('makes a client pending again if it changes something', async () => {
    const { app, stored } = await buildTestApp({
      ALLOW_OPEN_REGISTRATION: 'true',
      OPEN_REGISTRATION_APPROVAL: 'true',
      ROTATE_REGISTRATION_TOKEN_ON_UPDATE: 'false',
    });
    const body = { redirect_uris: ['https://app.example/cb'], client_name: 'Shop' };
    const { client_id: id, registration_access_token: token } = information(
      await send(app, 'POST /clients', { body }),
    );
    await send(app, `PUT ${pathOf(id)}/status`, { token: MASTER, body: { status: 'active' } });
    const patch = async (bearer: string, change: unknown) => {
      information(await send(app, `PATCH ${pathOf(id)}`, { token: bearer, body: change }));
      return (await stored(id))?.status;
    };
    expect(await patch(token, { client_name: 'Shop' })).toBe('active');
    expect(await patch(MASTER, { client_name: 'Bank' })).toBe('active');
    expect(await patch(token, { client_name: 'Shop' })).toBe('pending');
  });
});
