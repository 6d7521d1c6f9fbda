import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER, type TestApp } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  type CodeClient,
  exchange,
  logIn,
  postForm,
  tokensOf,
} from '../support/code-flow.js';

const CODE = { grant_types: ['authorization_code', 'refresh_token'] };
const MACHINE = { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] };
const API = { ...MACHINE, scope: `${ISSUER}/token/introspect` };
const ORDERS = 'https://orders.example/v1';
const STOCK = 'https://stock.example';

/** A server with two resource servers that declare their scope values, and one that declares none. */
async function createFixture(settings = {}) {
  const here = await buildTestApp(settings, false, true);
  const orders = await here.register({
    ...API,
    client_name: 'Orders <b>',
    resource_identifiers: [ORDERS],
    resource_scopes: 'orders:read orders:write',
  });
  await here.register({ ...API, resource_identifiers: [STOCK], resource_scopes: 'stock:read' });
  await here.register({ ...API, resource_identifiers: ['https://plain.example'] });
  return { ...here, orders };
}

const words = (scope: unknown) => String(scope).split(' ').sort();

/** The error of an authorization request, from its redirect to the client. */
async function errorOf({ app }: TestApp, client: CodeClient, parameters: Readonly<Record<string, string>>) {
  const { location } = await openBrowser(app).go(
    authorizationAddress(client, aVerifier().challenge, parameters),
  );
  const { searchParams } = new URL(location ?? '', ISSUER);
  return { error: searchParams.get('error'), scope: searchParams.get('scope') };
}

/** The consent page of a request, after the login. */
async function consentPage(
  { app }: TestApp,
  client: CodeClient,
  parameters: Readonly<Record<string, string>>,
) {
  const browser = openBrowser(app);
  const started = await browser.go(authorizationAddress(client, aVerifier().challenge, parameters));
  const login = { decision: 'login', username: 'alice', password: 'alice' };
  return browser.follow(await browser.go(started.location ?? '', login), ISSUER);
}

it('gives any client, with consent, what the requested resource server declares, registered or not', async () => {
  const here = await createFixture();
  for (const registered of [{}, { scope: 'openid other' }, { scope: 'orders:read' }]) {
    const client = await here.register({ ...CODE, ...registered });
    const scope = 'openid orders:read';
    const { status, body } = await tokensOf(here.app, client, { resource: ORDERS, scope });
    expect(status, JSON.stringify(body)).toBe(200);
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const refreshed = await postForm(here.app, '/token', client, form);
    for (const token of [body.access_token, refreshed.body.access_token]) {
      const { aud, scope: granted } = decodeJwt<{ scope: string }>(token);
      expect(aud).toEqual([ORDERS]);
      expect(words(granted)).toContain('orders:read');
      expect(words(granted)).not.toContain('orders:write');
    }
  }
});

it('gives it in pushed requests too', async () => {
  const { app, register } = await createFixture();
  const client = await register(CODE);
  const { verifier, challenge } = aVerifier();
  const parameters = { resource: STOCK, scope: 'stock:read' };
  const pushed = await postForm(app, '/par', client, authorizationParameters(client, challenge, parameters));
  expect(pushed.status, JSON.stringify(pushed.body)).toBe(201);
  const query = new URLSearchParams({ client_id: client.client_id, request_uri: pushed.body.request_uri });
  const { body } = await exchange(
    app,
    client,
    await logIn(openBrowser(app), `/authorize?${query}`),
    verifier,
  );
  expect(decodeJwt(body.access_token)).toMatchObject({ aud: [STOCK], scope: 'stock:read' });
});

it('shows the name, the address and the scope values of the resource server on the consent page', async () => {
  const here = await createFixture();
  const client = await here.register(CODE);
  const { body } = await consentPage(here, client, { resource: ORDERS, scope: 'openid email orders:read' });
  expect(body).toMatch(
    /<li>Access \u2068Orders &lt;b&gt;\u2069: <span class="code" dir="ltr">orders\.example\/v1<\/span>\n<ul><li><span class="code">orders:read<\/span><\/li><\/ul><\/li>/,
  );
  expect(body).toContain('See your email address');
  expect(body.match(/orders:read/g)).toHaveLength(1);
  const unnamed = await consentPage(here, client, { resource: STOCK, scope: 'stock:read' });
  expect(unnamed.body).toMatch(/<li>Access \u2068stock\.example\u2069:\n<ul>/);
});

it('refuses declared values without the resource that declares them, and values that it does not declare', async () => {
  const here = await createFixture();
  const client = await here.register(CODE);
  const refused = [
    [{ scope: 'openid orders:read' }, 'orders:read'],
    [{ scope: 'openid orders:read', resource: STOCK }, 'orders:read'],
    [{ scope: 'orders:read', resource: 'https://plain.example' }, 'orders:read'],
    [{ scope: 'orders:read orders:admin', resource: ORDERS }, 'orders:admin'],
  ] as const;
  for (const [parameters, scope] of refused) {
    expect(await errorOf(here, client, parameters)).toEqual({ error: 'invalid_scope', scope });
    const form = authorizationParameters(client, aVerifier().challenge, parameters);
    const pushed = await postForm(here.app, '/par', client, form);
    expect(pushed).toMatchObject({ status: 400, body: { error: 'invalid_scope', scope } });
  }
});

// It has no end-user who could consent.
it('gives a client that acts for itself no declared values but those that it registered', async () => {
  const { app, register } = await createFixture();
  const send = async (registered: object, scope: string) =>
    postForm(app, '/token', await register({ ...MACHINE, ...registered }), {
      grant_type: 'client_credentials',
      resource: ORDERS,
      scope,
    });
  for (const [registered, scope] of [
    [{}, 'orders:read'],
    [{ scope: 'other' }, 'orders:read'],
    [{ scope: 'other' }, 'other orders:read'],
  ] as const)
    expect(await send(registered, scope)).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope', scope: 'orders:read' },
    });
  const { body } = await send({ scope: 'orders:read other' }, 'orders:read');
  expect(decodeJwt(body.access_token)).toMatchObject({ aud: [ORDERS], scope: 'orders:read' });
});

it('does not grant a declared value by default, unless the operator made it the default of the resource', async () => {
  const RESOURCE_DEFAULT_SCOPES = JSON.stringify({ [ORDERS]: 'orders:read orders:admin' });
  for (const [settings, expected] of [
    [{}, ['openid']],
    [{ RESOURCE_DEFAULT_SCOPES }, ['orders:read']],
  ] as const) {
    const { app, register } = await createFixture(settings);
    for (const resource of [ORDERS, `${ORDERS}/`]) {
      const { body } = await tokensOf(app, await register(CODE), { resource, scope: '' });
      expect(words(body.scope)).toEqual(expected);
    }
  }
});

it('keeps the scope of an OpenID Connect request whose resource has another default', async () => {
  const RESOURCE_DEFAULT_SCOPES = JSON.stringify({ [ORDERS]: 'orders:read' });
  const { app, register } = await createFixture({ RESOURCE_DEFAULT_SCOPES });
  const client = await register(CODE);
  const { body } = await tokensOf(app, client, { resource: ORDERS, scope: '', nonce: 'the nonce' });
  expect(decodeJwt(body.id_token)).toMatchObject({ nonce: 'the nonce' });
});

it('no longer gives a value once the resource server has ceased to declare it', async () => {
  const { app, register, orders, sql } = await createFixture();
  const client = await register(CODE);
  const { body } = await tokensOf(app, client, { resource: ORDERS, scope: 'orders:read orders:write' });
  await sql(`UPDATE client SET metadata = metadata || '{"resource_scopes":"orders:read"}' WHERE id = $1`, [
    orders.client_id,
  ]);
  const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  const refreshed = await postForm(app, '/token', client, form);
  expect(decodeJwt(refreshed.body.access_token)).toMatchObject({ aud: [ORDERS], scope: 'orders:read' });
});
