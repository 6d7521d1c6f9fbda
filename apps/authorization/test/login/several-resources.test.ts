import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  type CodeClient,
  exchange,
  logIn,
  postForm,
} from '../support/code-flow.js';

const CODE = { grant_types: ['authorization_code', 'refresh_token'] };
const API = {
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: `${ISSUER}/token/introspect`,
};
const ORDERS = 'https://orders.example/v1';
const STOCK = 'https://stock.example/';
const SCOPE = 'openid orders:read stock:read';

/** A client with a code for two resource servers that declare a scope value each. */
async function createFixture(registered = {}) {
  const here = await buildTestApp({}, false, true);
  const { app, register } = here;
  await register({ ...API, resource_identifiers: [ORDERS], resource_scopes: 'orders:read' });
  const stock = await register({ ...API, resource_identifiers: [STOCK], resource_scopes: 'stock:read' });
  await register({ ...API, resource_identifiers: ['https://bills.example'] });
  const client: CodeClient = await register({ ...CODE, ...registered });
  const { verifier, challenge } = aVerifier();
  const address = authorizationAddress(client, challenge, { scope: SCOPE, resource: ORDERS });
  const landed = await logIn(openBrowser(app), `${address}&${new URLSearchParams({ resource: STOCK })}`);
  return {
    ...here,
    client,
    stock,
    exchange: (form = {}) => exchange(app, client, landed, verifier, form),
    refresh: (refresh_token: string, form = {}) =>
      postForm(app, '/token', client, { grant_type: 'refresh_token', refresh_token, ...form }),
  };
}

const contents = (token: string) => {
  const { aud, scope } = decodeJwt<{ scope: string }>(token);
  return { aud, scope: scope.split(' ').filter((value) => value !== 'openid') };
};

it('gives a token for one of several granted resources at each token request (RFC 8707 section 2.2)', async () => {
  // Whether a client registered the values makes no difference: each resource gets those that it declares.
  for (const registered of [{}, { scope: SCOPE }]) {
    const here = await createFixture(registered);
    const { status, body } = await here.exchange({ resource: STOCK });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(contents(body.access_token)).toEqual({ aud: [STOCK], scope: ['stock:read'] });
    const orders = await here.refresh(body.refresh_token, { resource: ORDERS });
    expect(contents(orders.body.access_token)).toEqual({ aud: [ORDERS], scope: ['orders:read'] });
    const narrowed = await here.refresh(orders.body.refresh_token, { resource: STOCK, scope: SCOPE });
    expect(contents(narrowed.body.access_token)).toEqual({ aud: [STOCK], scope: ['stock:read'] });
  }
});

it('takes a granted resource with or without a trailing slash', async () => {
  const here = await createFixture();
  const { body } = await here.exchange({ resource: `${ORDERS}/` });
  expect(contents(body.access_token)).toEqual({ aud: [ORDERS], scope: ['orders:read'] });
  const stock = await here.refresh(body.refresh_token, { resource: STOCK.slice(0, -1) });
  expect(contents(stock.body.access_token)).toEqual({ aud: [STOCK], scope: ['stock:read'] });
});

it('refuses a resource that was not granted, by its name, and none where several were granted', async () => {
  const here = await createFixture();
  const { body } = await here.exchange({ resource: ORDERS });
  for (const [name, shown] of [
    ['https://bills.example', 'https://bills.example'],
    ['https://unknown.example/a"b\\c\u0007d', 'https://unknown.example/a?b?c?d'],
  ] as const) {
    const refused = await here.refresh(body.refresh_token, { resource: name });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'invalid_target', error_description: `the resource ${shown} was not granted` },
    });
  }
  expect(await here.refresh(body.refresh_token)).toMatchObject({
    status: 400,
    body: { error: 'invalid_target' },
  });
});

it('keeps giving tokens for a granted resource after another one was deleted', async () => {
  const here = await createFixture();
  const { body } = await here.exchange({ resource: ORDERS });
  await here.sql('DELETE FROM client WHERE id = $1', [here.stock.client_id]);
  const refreshed = await here.refresh(body.refresh_token, { resource: ORDERS });
  expect(contents(refreshed.body.access_token)).toEqual({ aud: [ORDERS], scope: ['orders:read'] });
  expect(await here.refresh(refreshed.body.refresh_token, { resource: STOCK })).toMatchObject({
    status: 400,
    body: { error: 'invalid_target' },
  });
});

it('refuses more than ten resources in a request', async () => {
  const { app, client } = await createFixture();
  const address = authorizationAddress(client, aVerifier().challenge);
  // The same one too: each is looked at.
  for (const resource of [(index: number) => `https://a${index}.example`, () => ORDERS]) {
    const many = Array.from({ length: 11 }, (_, index) => `&resource=${resource(index)}`).join('');
    const { location } = await openBrowser(app).go(address + many);
    const { searchParams } = new URL(location ?? '');
    expect(searchParams.get('error')).toBe('invalid_target');
    expect(searchParams.get('error_description')).toBe('at most 10 resources in a request');
  }
});

it('refuses resources of a request object that are no strings, and an empty list, with whatever scope', async () => {
  const { app, register, problems } = await buildTestApp({}, false, true);
  await register({ ...API, resource_identifiers: [ORDERS], resource_scopes: 'orders:read' });
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] };
  const client = await register({ ...CODE, jwks, request_object_signing_alg: 'ES256' });
  const resources = [[[ORDERS]], [ORDERS, [ORDERS]], [ORDERS, 1], [null], {}, []];
  for (const resource of resources) {
    const claims = authorizationParameters(client, aVerifier().challenge, { scope: 'openid orders:read' });
    const request = await new SignJWT({ ...claims, resource, aud: ISSUER, iss: client.client_id })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(privateKey);
    expect(await postForm(app, '/par', client, { request }), JSON.stringify(resource)).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
  }
  expect(problems).toEqual([]);
});
