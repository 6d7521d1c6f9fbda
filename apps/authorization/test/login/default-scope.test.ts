import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  exchange,
  logIn,
  postForm,
  tokensOf,
} from '../support/code-flow.js';

const CODE = { grant_types: ['authorization_code', 'refresh_token'] };
const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] };
const INTROSPECTION = `${ISSUER}/token/introspect`;
const ORDERS = `${ISSUER}/clients/orders`;
const STOCK = `${ISSUER}/clients/stock`;
const BILLS = 'https://bills.example/api';
const DEFAULTS = {
  RESOURCE_DEFAULT_SCOPES: JSON.stringify({ [ORDERS]: 'read', [STOCK]: 'count read', [BILLS]: 'read' }),
};
/** Overrides the default scope of the test requests. */
const NO_SCOPE = { scope: '' };

/** A server with two resource servers that have a default scope. */
async function createFixture() {
  const here = await buildTestApp(DEFAULTS, false, true);
  for (const id of ['orders', 'stock'])
    await here.register({ ...MACHINE, scope: INTROSPECTION, preferred_client_id: id });
  await here.register({ ...MACHINE, scope: INTROSPECTION, resource_identifiers: [BILLS] });
  return here;
}

const words = (scope: unknown) => String(scope).split(' ').sort();

it.each([
  ['what the client registered', 'read write', ['read', 'write']],
  ['what it registered, with an ID token', 'openid read', ['openid', 'read']],
  ['openid for a client that registered no scope', undefined, ['openid']],
])('gives a request without scope %s (RFC 6749 section 3.3)', async (_what, registered, expected) => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, ...(registered && { scope: registered }) });
  const { status, body } = await tokensOf(app, client, NO_SCOPE);
  expect(status).toBe(200);
  expect(words(body.scope)).toEqual(expected);
  expect('id_token' in body).toBe(expected.includes('openid'));
});

it('requests consent to the default scope as to any other', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, scope: 'read write' });
  const browser = openBrowser(app);
  const started = await browser.go(authorizationAddress(client, aVerifier().challenge, NO_SCOPE));
  const login = { decision: 'login', username: 'alice', password: 'alice' };
  const consent = await browser.follow(await browser.go(started.location ?? '', login), ISSUER);
  for (const value of ['read', 'write']) expect(consent.body).toContain(value);
});

it('gives an OpenID Connect request without scope the scope that its other parameters need', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, default_max_age: 3_600 });
  const parameters = {
    ...NO_SCOPE,
    nonce: 'the nonce',
    max_age: '600',
    claims: '{"id_token":{"email":null}}',
  };
  const { body } = await tokensOf(app, client, parameters);
  expect(decodeJwt(body.id_token)).toMatchObject({ nonce: 'the nonce', email: 'alice@example.com' });
});

it('gives the default of the resource as far as the client may get it, and else the registered scope', async () => {
  const { app, register } = await createFixture();
  const cases = [
    ['openid read write', ORDERS, ['read']],
    ['openid read write', STOCK, ['read']],
    ['openid write', ORDERS, ['write']],
    ['openid read write', BILLS, ['read']],
    ['openid read write', `${BILLS}/`, ['read']],
  ] as const;
  for (const [scope, resource, expected] of cases) {
    const { body } = await tokensOf(app, await register({ ...CODE, scope }), { ...NO_SCOPE, resource });
    // The scope of the token for the resource, which has no OpenID Connect values.
    const { scope: granted = '' } = decodeJwt<{ scope?: string }>(body.access_token);
    expect(words(granted).filter((value) => value !== 'openid')).toEqual(expected);
  }
});

it('leaves an explicit scope unchanged', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, scope: 'openid read write' });
  const { body } = await tokensOf(app, client, { scope: 'write', resource: ORDERS });
  expect(decodeJwt(body.access_token)).toMatchObject({ scope: 'write' });
});

it('fills in the scope of a pushed request', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, scope: 'openid read' });
  const { verifier, challenge } = aVerifier();
  const { scope: _none, ...form } = authorizationParameters(client, challenge, { nonce: 'n' });
  const pushed = await postForm(app, '/par', client, form);
  expect(pushed.status).toBe(201);
  const query = new URLSearchParams({ client_id: client.client_id, request_uri: pushed.body.request_uri });
  const landed = await logIn(openBrowser(app), `/authorize?${query}`);
  const { body } = await exchange(app, client, landed, verifier);
  expect(words(body.scope)).toEqual(['openid', 'read']);
});

it('fills in the scope of a signed request', async () => {
  const { app, register } = await createFixture();
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', use: 'sig', alg: 'ES256' }] };
  const signed = { jwks, request_object_signing_alg: 'ES256' };
  const client = await register({ ...CODE, ...signed, scope: 'openid read' });
  const { verifier, challenge } = aVerifier();
  const { scope: _none, ...claims } = authorizationParameters(client, challenge);
  const request = await new SignJWT({ ...claims, aud: ISSUER, iss: client.client_id })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(privateKey);
  const query = new URLSearchParams({ client_id: client.client_id, request });
  const landed = await logIn(openBrowser(app), `/authorize?${query}`);
  const { body } = await exchange(app, client, landed, verifier);
  expect(words(body.scope)).toEqual(['openid', 'read']);
});

it('gives a refresh without scope the scope of the grant (RFC 6749 section 6)', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, scope: 'openid read write' });
  const { body: granted } = await tokensOf(app, client, { scope: 'openid read' });
  const refresh = { grant_type: 'refresh_token', refresh_token: granted.refresh_token };
  const { status, body } = await postForm(app, '/token', client, refresh);
  expect([status, words(body.scope)]).toEqual([200, ['openid', 'read']]);
});

/** What the client is told when no scope value is left of its request. */
const NOTHING_LEFT = {
  error: 'invalid_scope',
  error_description: expect.stringContaining('prompt=consent'),
  scope: 'offline_access',
};

// Formerly the end-user logged in and consented to nothing, and the client got `access_denied`.
it.each([
  ['requests offline_access alone', undefined, 'offline_access'],
  ['registered offline_access alone and requests nothing', 'offline_access', ''],
])('redirects invalid_scope before the login if a client %s', async (_what, registered, scope) => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, ...(registered && { scope: registered }) });
  const address = authorizationAddress(client, aVerifier().challenge, { scope, state: 's' });
  const { status, location } = await openBrowser(app).go(address);
  expect(status).toBe(303);
  const landed = new URL(location ?? '');
  expect(landed.origin + landed.pathname).toBe('https://app.example/cb');
  expect(Object.fromEntries(landed.searchParams)).toEqual({ ...NOTHING_LEFT, state: 's', iss: ISSUER });
});

it('refuses a pushed request of which no scope value is left', async () => {
  const { app, register } = await createFixture();
  const client = await register(CODE);
  const form = authorizationParameters(client, aVerifier().challenge, { scope: 'offline_access' });
  expect(await postForm(app, '/par', client, form)).toMatchObject({ status: 400, body: NOTHING_LEFT });
});

it('redirects invalid_scope if a client requests what it may not get', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...CODE, scope: 'openid read' });
  for (const scope of ['write', 'openid write', ' ']) {
    const { location } = await openBrowser(app).go(
      authorizationAddress(client, aVerifier().challenge, { scope }),
    );
    const { searchParams } = new URL(location ?? '');
    expect(searchParams.get('error'), scope).toBe('invalid_scope');
    expect(searchParams.get('error_description'), scope).toMatch(/scope/);
  }
});

it('gives a client that acts for itself its registered scope, or the default of the resource, or nothing', async () => {
  const { app, register } = await createFixture();
  const [client, bare] = [await register({ ...MACHINE, scope: 'read write' }), await register(MACHINE)];
  const token = async (of: typeof client, parameters = {}) => {
    const form = { grant_type: 'client_credentials', ...parameters };
    const { status, body } = await postForm(app, '/token', of, form);
    expect(status).toBe(200);
    return body;
  };
  expect(words((await token(client)).scope)).toEqual(['read', 'write']);
  expect(words((await token(client, NO_SCOPE)).scope)).toEqual(['read', 'write']);
  expect((await token(client, { resource: ORDERS })).scope).toBe('read');
  expect((await token(client, { scope: 'write', resource: ORDERS })).scope).toBe('write');
  expect(await token(bare)).not.toHaveProperty('scope');
});

it('gives a client that acts for itself its registered values, including those of other resources', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...MACHINE, scope: `openid read ${INTROSPECTION}` });
  const send = (form = {}) => postForm(app, '/token', client, { grant_type: 'client_credentials', ...form });
  const whole = await send();
  expect(whole.status, JSON.stringify(whole.body)).toBe(200);
  expect(words(whole.body.scope)).toEqual(expect.arrayContaining(['read', INTROSPECTION]));
  for (const resource of [ORDERS, STOCK, BILLS]) {
    const { status, body } = await send({ resource });
    expect({ status, scope: body.scope }, resource).toEqual({ status: 200, scope: 'read' });
  }
});

// A token without scope would fail at its first use, far from the mistake.
it('refuses a client that acts for itself where it may get none of the values that it requests', async () => {
  const { app, register } = await createFixture();
  const client = await register({ ...MACHINE, scope: 'read' });
  const send = (scope: string) =>
    postForm(app, '/token', client, { grant_type: 'client_credentials', scope });
  for (const scope of ['openid', 'openid profile'])
    expect(await send(scope)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope', scope: 'openid' },
    });
  expect(await send('openid read')).toMatchObject({ status: 200, body: { scope: 'read' } });
});
