import { describe, expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import {
  badRequest,
  INVALID_TOKEN,
  information,
  insufficientScope,
  NO_CONTENT,
  pathOf,
  send,
} from '../support/calls.js';

/** The metadata of the examples of RFC 7591. */
const EXAMPLE = {
  redirect_uris: ['https://client.example.org/callback', 'https://client.example.org/callback2'],
  client_name: 'My Example Client',
  'client_name#ja-Jpan-JP': '\u30AF\u30E9\u30A4\u30A2\u30F3\u30C8\u540D',
  token_endpoint_auth_method: 'client_secret_basic',
  logo_uri: 'https://client.example.org/logo.png',
  jwks_uri: 'https://client.example.org/my_public_keys.jwks',
};

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true' };

/** The same client registered, without members that are in no example. */
async function registeredExample() {
  const service = await buildTestApp(OPEN);
  const body = { ...EXAMPLE, example_extension_parameter: 'example_value' };
  return { ...service, client: information(await send(service.app, 'POST /clients', { body })) };
}

describe('RFC 7591', () => {
  it('section 3.1 and 3.2.1: an open registration, without its unknown extension', async () => {
    const { client } = await registeredExample();
    expect(client).toMatchObject({
      ...EXAMPLE,
      client_secret_expires_at: 0,
      grant_types: ['authorization_code'],
      registration_client_uri: `${ISSUER}/clients/${client.client_id}`,
    });
    expect(client).not.toHaveProperty('example_extension_parameter');
  });

  it('section 3.1: a protected registration with the grants of its initial access token', async () => {
    const { app, initialToken } = await buildTestApp();
    const token = await initialToken(
      'client-reg:grant:code client-reg:grant:refresh client-reg:scope:read client-reg:scope:write',
    );
    const { jwks_uri: _, ...rest } = EXAMPLE;
    const body = {
      ...rest,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'read write',
      policy_uri: 'https://client.example.org/policy.html',
    };
    expect(information(await send(app, 'POST /clients', { token, body }))).toMatchObject(body);
    const beyond = { token: await initialToken('client-reg:grant:code'), body };
    expect(await send(app, 'POST /clients', beyond)).toEqual(
      insufficientScope('The access token does not permit registering these grant types.'),
    );
  });

  it('section 3.1.1: a software statement of an untrusted issuer', async () => {
    const { app } = await buildTestApp(OPEN);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const statement = `${part({ alg: 'RS256' })}.${part({ iss: 'https://other.example', software_id: '4NRB1-0XZABZI9E6-5SM3R' })}.c2ln`;
    const response = await send(app, 'POST /clients', {
      body: {
        redirect_uris: EXAMPLE.redirect_uris,
        software_statement: statement,
        scope: 'read write',
      },
    });
    expect(response.status).toBe(400);
    expect(JSON.parse(response.body)).toMatchObject({ error: 'unapproved_software_statement' });
  });

  it('section 3.2.2: a forbidden redirect URI, and contradictory metadata', async () => {
    const { app } = await buildTestApp(OPEN);
    const redirect = await send(app, 'POST /clients', {
      body: { ...EXAMPLE, redirect_uris: ['http://sketchy.example.com'] },
    });
    expect([redirect.status, JSON.parse(redirect.body).error]).toEqual([400, 'invalid_redirect_uri']);
    const grants = await send(app, 'POST /clients', {
      body: { ...EXAMPLE, grant_types: ['authorization_code'], response_types: ['token'] },
    });
    expect([grants.status, JSON.parse(grants.body).error]).toEqual([400, 'invalid_client_metadata']);
  });
});

describe('RFC 7592', () => {
  it('section 2.1 and 3: a read shows the registration, with the URL and token to manage it', async () => {
    const { app, client } = await registeredExample();
    const call = { token: client.registration_access_token };
    expect(information(await send(app, `GET ${pathOf(client.client_id)}`, call))).toEqual(client);
  });

  it('section 2.2: an update with every member, including the secret, replaces the registration', async () => {
    const { app, client } = await registeredExample();
    const body = {
      client_id: client.client_id,
      client_secret: client.client_secret,
      redirect_uris: ['https://client.example.org/callback', 'https://client.example.org/alt'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      jwks_uri: 'https://client.example.org/my_public_keys.jwks',
      client_name: 'My New Example',
      'client_name#fr': 'Mon Nouvel Exemple',
      logo_uri: 'https://client.example.org/newlogo.png',
      'logo_uri#fr': 'https://client.example.org/fr/newlogo.png',
    };
    const call = { token: client.registration_access_token, body };
    const { client_secret: _, ...expected } = body;
    const updated = information(await send(app, `PUT ${pathOf(client.client_id)}`, call));
    expect(updated).toMatchObject(expected);
    expect(updated).not.toHaveProperty('client_name#ja-Jpan-JP');
    expect(
      await send(app, `PUT ${pathOf(client.client_id)}`, {
        token: updated.registration_access_token,
        body: { ...body, client_secret: 'another secret than the present one' },
      }),
    ).toEqual(badRequest('invalid_request', 'client_secret: must be absent or have its current value'));
  });

  it('section 2.3: a deletion, after which the token is unknown', async () => {
    const { app, client } = await registeredExample();
    const call = { token: client.registration_access_token };
    expect(await send(app, `DELETE ${pathOf(client.client_id)}`, call)).toEqual(NO_CONTENT);
    for (const method of ['GET', 'DELETE'])
      expect(await send(app, `${method} ${pathOf(client.client_id)}`, call)).toEqual(INVALID_TOKEN);
  });
});

describe('OpenID Connect Dynamic Client Registration 1.0', () => {
  it('section 3.1, 3.2, 4.2 and 4.3: registering and reading a client of the example', async () => {
    const { app } = await buildTestApp(OPEN);
    const body = {
      application_type: 'web',
      redirect_uris: EXAMPLE.redirect_uris,
      client_name: 'My Example',
      'client_name#ja-Jpan-JP': EXAMPLE['client_name#ja-Jpan-JP'],
      logo_uri: EXAMPLE.logo_uri,
      subject_type: 'pairwise',
      token_endpoint_auth_method: 'client_secret_basic',
      jwks_uri: EXAMPLE.jwks_uri,
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
      userinfo_encrypted_response_enc: 'A128CBC-HS256',
      contacts: ['ve7jtb@example.org', 'mary@example.org'],
      request_uris: ['https://client.example.org/rf.txt#qpXaRLh_n93TTR9F252ValdatUQvQiJi5BDub2BeznA'],
    };
    const client = information(await send(app, 'POST /clients', { body }));
    expect(client).toMatchObject(body);
    const call = { token: client.registration_access_token };
    expect(information(await send(app, `GET ${pathOf(client.client_id)}`, call))).toEqual(client);
  });

  it('section 3.3: one invalid redirect URI among many', async () => {
    const { app } = await buildTestApp(OPEN);
    const response = await send(app, 'POST /clients', {
      body: { redirect_uris: [...EXAMPLE.redirect_uris, 'https://client.example.org/cb#fragment'] },
    });
    expect([response.status, JSON.parse(response.body).error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('section 4.4: reading with an unknown token', async () => {
    const { app, client } = await registeredExample();
    const call = { token: 'this.is.an.access.token.value.ffx83' };
    expect(await send(app, `GET ${pathOf(client.client_id)}`, call)).toEqual(INVALID_TOKEN);
  });
});
