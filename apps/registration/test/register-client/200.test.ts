import { sha256 } from '@vestibule/crypto';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { buildTestApp, ISSUER, MASTER } from '../support/build-test-app.js';
import { CLIENT_HEADERS, INVALID_TOKEN, information, pathOf, registered, send } from '../support/calls.js';

const MINIMAL = { redirect_uris: ['https://app.example/cb'] };
const ISSUED_AT = 1_780_315_200;

describe('POST /clients with acceptable metadata', () => {
  it('responds with 200, the issued members and exactly the registered metadata, including defaults (registration/API.md#register)', async () => {
    const { app } = await buildTestApp();
    const body = {
      ...MINIMAL,
      client_name: 'Shop',
      'client_name#de': 'Laden',
      contacts: ['ops@app.example'],
      data: { tenant: 7, tags: ['a', null] },
      unknown_member: 'left out',
      preferred_client_id: null,
    };
    const response = await send(app, 'POST /clients', { token: MASTER, body });
    const {
      client_id: id,
      client_secret: secret,
      registration_access_token: token,
    } = JSON.parse(response.body);
    for (const [value, length] of [
      [id, 22],
      [secret, 43],
      [token, 43],
    ])
      expect(value).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
    expect(response).toEqual({
      status: 200,
      headers: CLIENT_HEADERS,
      body: JSON.stringify({
        client_id: id,
        client_id_issued_at: ISSUED_AT,
        client_secret: secret,
        client_secret_expires_at: 0,
        registration_client_uri: `${ISSUER}/clients/${id}`,
        registration_access_token: token,
        redirect_uris: ['https://app.example/cb'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        application_type: 'web',
        contacts: ['ops@app.example'],
        client_name: 'Shop',
        'client_name#de': 'Laden',
        subject_type: 'public',
        token_endpoint_auth_method: 'client_secret_basic',
        tls_client_certificate_bound_access_tokens: false,
        dpop_bound_access_tokens: false,
        require_pushed_authorization_requests: false,
        require_signed_request_object: false,
        id_token_signed_response_alg: 'RS256',
        require_auth_time: false,
        data: { tags: ['a', null], tenant: 7 },
      }),
    });
  });

  it('stores what it returns: a read returns exactly the same', async () => {
    const { app } = await buildTestApp();
    const response = await send(app, 'POST /clients', {
      token: MASTER,
      body: { ...MINIMAL, data: { b: 1, a: 2 } },
    });
    const { client_id: id, registration_access_token: token } = information(response);
    expect(await send(app, `GET ${pathOf(id)}`, { token })).toEqual(response);
  });

  it('issues no secret to a client that does not use one', async () => {
    const { app } = await buildTestApp();
    const jwks = {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'VPTDCCexRkRdCaqJUiAjvxJuFdKp_ZS_3fkHcfIHBJA',
          y: 'QGg6Ah1245xyVhWGMi7yLc4SMSfbWLE5_EDo5sQhavU',
          kid: '1',
        },
      ],
    };
    for (const method of [
      { token_endpoint_auth_method: 'none' },
      { token_endpoint_auth_method: 'private_key_jwt', jwks },
    ]) {
      const client = await registered(app, method);
      expect(Object.keys(client)).not.toContain('client_secret');
      expect(Object.keys(client)).not.toContain('client_secret_expires_at');
    }
  });

  it('issues a secret that is long enough for the HMAC algorithm (RFC 7518 section 3.2)', async () => {
    const { app } = await buildTestApp();
    const client = await registered(app, { id_token_signed_response_alg: 'HS512' });
    expect(client.client_secret).toMatch(/^[A-Za-z0-9]{64}$/);
  });

  it('issues values of the configured lengths and lifetime, with the configured status', async () => {
    const { app } = await buildTestApp({
      CLIENT_ID_LENGTH: '40',
      CLIENT_SECRET_LENGTH: '50',
      REGISTRATION_TOKEN_LENGTH: '60',
      CLIENT_SECRET_LIFETIME_SECONDS: '3600',
      REGISTRATION_CREATED_STATUS: '201',
    });
    const { status, headers, body } = await send(app, 'POST /clients', { token: MASTER, body: MINIMAL });
    expect({ status, headers }).toEqual({ status: 201, headers: CLIENT_HEADERS });
    expect(JSON.parse(body)).toMatchObject({
      client_id: expect.stringMatching(/^\w{40}$/),
      client_secret: expect.stringMatching(/^\w{50}$/),
      registration_access_token: expect.stringMatching(/^\w{60}$/),
      client_secret_expires_at: ISSUED_AT + 3600,
    });
  });

  it('accepts presets once: a second client cannot have the identifier', async () => {
    const { app, all } = await buildTestApp();
    const presets = { preferred_client_id: 'imported.client', preferred_client_secret: 's'.repeat(32) };
    const client = await registered(app, presets);
    expect(client).toMatchObject({ client_id: 'imported.client', client_secret: 's'.repeat(32) });
    const again = await send(app, 'POST /clients', { token: MASTER, body: { ...MINIMAL, ...presets } });
    expect(again.status).toBe(400);
    expect(await all()).toHaveLength(1);
  });

  it('accepts every spelling of the one media type', async () => {
    const { app } = await buildTestApp();
    const payload = JSON.stringify(MINIMAL);
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
    ]) {
      const headers = { 'content-type': type };
      information(await send(app, 'POST /clients', { token: MASTER, payload, headers }));
    }
  });

  it('accepts the bearer scheme in any case, and either master token during a rotation', async () => {
    const next = 'the-next-master-token-0123456789-0123456789';
    const digests = [next, MASTER].map((token) => Buffer.from(sha256(token)).toString('hex'));
    const { app } = await buildTestApp({ MASTER_TOKEN_SHA256: digests.join(',') });
    information(await send(app, 'POST /clients', { token: next, body: MINIMAL }));
    for (const scheme of ['bearer', 'BEARER', 'Bearer ', 'bEaReR   '])
      information(await send(app, 'POST /clients', { authorization: `${scheme} ${MASTER}`, body: MINIMAL }));
  });

  it('uses its own address, whatever the request claims', async () => {
    const { app } = await buildTestApp();
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    const client = information(await send(app, 'POST /clients', { token: MASTER, body: MINIMAL, headers }));
    expect(client.registration_client_uri).toBe(`${ISSUER}/clients/${client.client_id}`);
  });
});

describe('POST /clients in open mode', () => {
  it('registers clients without a token', async () => {
    const { app } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true' });
    information(await send(app, 'POST /clients', { body: MINIMAL }));
  });

  it('works without a master token', async () => {
    const { app } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true', MASTER_TOKEN_SHA256: '' });
    information(await send(app, 'POST /clients', { body: MINIMAL }));
  });
});

describe('POST /clients with an initial access token', () => {
  it('consumes one use of it', async () => {
    const { app, initialToken, usesLeft } = await buildTestApp();
    const token = await initialToken('client-reg', { usesLeft: 2 });
    await registered(app, {}, token);
    expect(await usesLeft(token)).toBe(1);
    await registered(app, {}, token);
    expect(await usesLeft(token)).toBe(0);
    expect(await send(app, 'POST /clients', { token, body: MINIMAL })).toEqual(INVALID_TOKEN);
  });

  it('starts from the metadata of the token', async () => {
    const { app, initialToken } = await buildTestApp();
    const metadataTemplate = { client_name: 'Template', software_id: 'kit', data: { from: 'template' } };
    const token = await initialToken('client-reg', { metadataTemplate });
    const client = await registered(app, { client_name: 'Own' }, token);
    expect(client).toMatchObject({ client_name: 'Own', software_id: 'kit', data: { from: 'template' } });
  });

  it('uses the keys of the registration in place of those of the token, in either form', async () => {
    const { app, initialToken } = await buildTestApp();
    const jwks_uri = 'https://kit.example/keys';
    const issue = (metadataTemplate: JsonObject) => initialToken('client-reg', { metadataTemplate });
    const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] };
    const own = await registered(app, { jwks }, await issue({ jwks_uri, client_name: 'Kit' }));
    expect(own).toMatchObject({ jwks, client_name: 'Kit' });
    expect(own).not.toHaveProperty('jwks_uri');
    const other = await registered(app, { jwks_uri, jwks: null }, await issue({ jwks }));
    expect(other).toMatchObject({ jwks_uri });
    expect(other).not.toHaveProperty('jwks');
    expect(await registered(app, { jwks: null }, await issue({ jwks_uri }))).toMatchObject({ jwks_uri });
  });
});
