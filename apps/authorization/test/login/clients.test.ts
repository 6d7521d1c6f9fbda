import { createHash } from 'node:crypto';
import { aCertificate } from '@vestibule/client-auth/testing';
import { compactDecrypt, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it, vi } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, postForm, tokensOf } from '../support/code-flow.js';

const build = (settings = {}) => buildTestApp(settings, false, true);
const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [], scope: 'read' };

it('refuses at once a client that was deleted, and its refresh tokens', async () => {
  const { app, register, store } = await build();
  const client = await register({ grant_types: ['authorization_code', 'refresh_token'] });
  const { body } = await tokensOf(app, client);
  await store.database.clients.delete(client.client_id, 1_900_000_000 as never);
  const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  expect(await postForm(app, '/token', client, form)).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  });
});

it('serves clients with metadata that it does not use, or that the library knows only in another form', async () => {
  const { app, register } = await build();
  const custom = 'com.example.app:/cb';
  for (const metadata of [
    { default_acr_values: ['urn:example:silver'] },
    { userinfo_encrypted_response_alg: 'dir' },
    {
      application_type: 'native',
      redirect_uris: [custom],
      frontchannel_logout_uri: 'com.example.app:/out',
      frontchannel_logout_session_required: true,
    },
  ]) {
    const client = await register({ grant_types: ['authorization_code'], ...metadata });
    const redirect = 'redirect_uris' in metadata ? { redirect_uri: custom } : {};
    const started = await app.inject(authorizationAddress(client, aVerifier().challenge, redirect));
    expect(started.headers.location, JSON.stringify(metadata)).toMatch(/^\/interaction\//);
  }
});

it('encrypts userinfo for a client that registered only encryption, signed as its ID tokens are', async () => {
  const { app, register } = await build();
  const client = await register({
    grant_types: ['authorization_code'],
    userinfo_encrypted_response_alg: 'dir',
    userinfo_encrypted_response_enc: 'A256GCM',
  });
  const { body } = await tokensOf(app, client);
  const response = await app.inject({
    url: '/userinfo',
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect(response.headers['content-type']).toMatch(/^application\/jwt/);
  const key = createHash('sha256').update(String(client.client_secret)).digest();
  const { plaintext } = await compactDecrypt(response.body, key);
  expect(decodeJwt(Buffer.from(plaintext).toString())).toMatchObject({ sub: 'alice', iss: ISSUER });
});

it('records the use of a client', async () => {
  const { app, register, sql } = await build();
  const client = await register(MACHINE);
  await postForm(app, '/token', client, { grant_type: 'client_credentials', scope: 'read' });
  await vi.waitFor(async () => {
    const [row] = await sql('SELECT last_used_at IS NOT NULL AS used FROM client');
    expect(row).toEqual({ used: true });
  }, 60_000);
});

it('reveals nothing about tokens of other clients, and leaves them active', async () => {
  const { app, register, sql } = await build();
  const [owner, other] = [await register(MACHINE), await register(MACHINE)];
  const { body } = await postForm(app, '/token', owner, { grant_type: 'client_credentials' });
  const revoke = (client: typeof owner) =>
    postForm(app, '/token/revoke', client, { token: body.access_token });
  expect(await revoke(other)).toMatchObject({ status: 200 });
  expect(await sql('SELECT FROM access_token')).toHaveLength(1);
  expect(await revoke(owner)).toMatchObject({ status: 200 });
  expect(await sql('SELECT FROM access_token')).toEqual([]);
});

it('accepts an assertion that is for us alone, short-lived and unused; of parallel uses, one', async () => {
  const { app, register } = await build();
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
  const client = await register({ ...MACHINE, token_endpoint_auth_method: 'private_key_jwt', jwks });
  const now = Math.floor(Date.now() / 1000);
  const assertion = (claims = {}, header = {}) =>
    new SignJWT({ jti: crypto.randomUUID(), aud: ISSUER, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k', ...header })
      .setIssuer(client.client_id)
      .setSubject(client.client_id)
      .sign(privateKey);
  const use = (client_assertion: string) =>
    postForm(
      app,
      '/token',
      { client_id: client.client_id },
      {
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion,
      },
    );
  const once = await assertion();
  const responses = await Promise.all(Array.from({ length: 20 }, () => use(once)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(19);
  for (const claims of [
    { aud: `${ISSUER}/userinfo` },
    { aud: [ISSUER, 'https://evil.example'] },
    { exp: now + 3700 },
    { iat: now + 60 },
  ])
    expect(await use(await assertion(claims)), JSON.stringify(claims)).toMatchObject({ status: 401 });
  for (const typ of ['at+jwt', 'logout+jwt', 'dpop+jwt'])
    expect(await use(await assertion({}, { typ })), typ).toMatchObject({ status: 401 });
  for (const typ of ['JWT', 'client-authentication+jwt'])
    expect(await use(await assertion({}, { typ })), typ).toMatchObject({ status: 200 });
});

it('binds tokens to the certificate of a client, and authenticates with it', async () => {
  const secret = 'a-secret-of-the-proxy-with-enough-characters';
  const { app, register, sql } = await build({
    TRUSTED_PROXIES: '127.0.0.1',
    CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
    CLIENT_CERTIFICATE_CHAIN_VERIFIED: 'true',
    CLIENT_CERTIFICATE_PROXY_SECRET: secret,
  });
  const client = await register({
    ...MACHINE,
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: 'CN=client',
    tls_client_certificate_bound_access_tokens: true,
  });
  const request = (certificate?: Buffer) =>
    app.inject({
      method: 'POST',
      url: '/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'client-cert-proof': secret,
        ...(certificate && { 'client-cert': `:${certificate.toString('base64')}:` }),
      },
      payload: new URLSearchParams({
        client_id: client.client_id,
        grant_type: 'client_credentials',
      }).toString(),
    });
  expect((await request(aCertificate())).statusCode).toBe(200);
  const [token] = await sql('SELECT confirmation FROM access_token');
  expect(token?.['confirmation']).toEqual({ 'x5t#S256': expect.stringMatching(/^[\w-]{43}$/) });
  const other = aCertificate({ subject: [[['2.5.4.3', 'other']]] });
  expect((await request(other)).statusCode).toBe(401);
  expect((await request()).statusCode).toBe(401);
});

it('responds to cross-origin requests from the origin of a public client, and from no other', async () => {
  const { app, register } = await build();
  const { client_id } = await register({
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
  });
  const from = (origin: string) =>
    app.inject({
      method: 'POST',
      url: '/token',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ client_id, grant_type: 'authorization_code', code: 'x' }).toString(),
    });
  expect((await from('https://app.example')).headers['access-control-allow-origin']).toBe(
    'https://app.example',
  );
  expect((await from('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
});
