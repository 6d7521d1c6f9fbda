import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { basicOf, tokensOf } from '../support/code-flow.js';

const PAGE = 'https://app.example';
const OTHER = 'https://other.example';
const DOCUMENTS = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/jwks.json',
];
const CODE = { grant_types: ['authorization_code', 'refresh_token'] };
const PUBLIC = { ...CODE, token_endpoint_auth_method: 'none' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Headers = Readonly<Record<string, string>>;
type Method = 'GET' | 'POST' | 'DELETE';

interface Sent {
  readonly method?: Method | 'OPTIONS';
  readonly headers?: Headers;
  readonly form?: Headers;
}

/** A server as browsers look at it. */
async function open() {
  const { app, register } = await buildTestApp({}, false, true);
  const send = async (url: string, { method = 'GET', headers = {}, form }: Sent = {}) => {
    const response = await app.inject({
      method,
      url,
      headers: { ...headers, ...(form && FORM) },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    });
    const { 'access-control-allow-origin': origin, 'access-control-allow-credentials': credentials } =
      response.headers;
    expect(credentials).toBeUndefined();
    return { status: response.statusCode, origin, headers: response.headers, body: response.body };
  };
  /** The preflight request of a client of MCP in a browser. */
  const preflight = (url: string, method: Method, origin = PAGE) => {
    const headers = {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,mcp-protocol-version',
    };
    return send(url, { method: 'OPTIONS', headers });
  };
  return { app, register, send, preflight };
}

const listed = (value: unknown) => String(value).toLowerCase().split(/, ?/);

it('lets pages of every origin read discovery and the keys, with the version of MCP in the request', async () => {
  const { send, preflight } = await open();
  for (const url of DOCUMENTS)
    for (const origin of [PAGE, OTHER, 'null']) {
      const version = { 'mcp-protocol-version': '2025-11-25' };
      expect(await send(url, { headers: { origin, ...version } }), url).toMatchObject({
        status: 200,
        origin: '*',
      });
      const { status, headers, ...permitted } = await preflight(url, 'GET', origin);
      expect({ status, origin: permitted.origin }, url).toEqual({ status: 204, origin: '*' });
      expect(listed(headers['access-control-allow-headers'])).toContain('mcp-protocol-version');
      expect(listed(headers['access-control-allow-methods'])).toEqual(['get']);
    }
});

it('accepts the preflight request of a page for each endpoint that clients in browsers call', async () => {
  const { preflight } = await open();
  for (const url of ['/token', '/par', '/token/revoke', '/userinfo']) {
    const { status, origin, headers } = await preflight(url, 'POST');
    expect({ status, origin }, url).toEqual({ status: 204, origin: PAGE });
    expect(listed(headers['access-control-allow-methods'])).toContain('post');
    expect(listed(headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining(['content-type', 'mcp-protocol-version']),
    );
  }
});

it('lets the pages of a client without a secret read the responses to it, errors included, and no other pages', async () => {
  const { register, send } = await open();
  const { client_id: id } = await register(PUBLIC);
  const forms = {
    '/token': { grant_type: 'refresh_token', refresh_token: 'x', client_id: id },
    '/par': { response_type: 'code', client_id: id },
    '/token/revoke': { token: 'x', client_id: id },
  };
  for (const [url, form] of Object.entries(forms)) {
    const own = await send(url, { method: 'POST', form, headers: { origin: PAGE } });
    expect([own.origin, own.headers.vary], url).toEqual([PAGE, 'Origin']);
    const { status, body } = await send(url, { method: 'POST', form });
    const other = await send(url, { method: 'POST', form, headers: { origin: OTHER } });
    expect([other.status, other.origin, other.body], url).toEqual([status, undefined, body]);
    expect([other.headers['access-control-expose-headers'], other.headers.vary], url).toEqual([
      undefined,
      'Origin',
    ]);
  }
});

it('lets pages read that their client is unknown', async () => {
  const { send } = await open();
  const form = { grant_type: 'authorization_code', code: 'x', client_id: 'deleted' };
  const { status, origin, body } = await send('/token', { method: 'POST', form, headers: { origin: PAGE } });
  expect([status, origin, JSON.parse(body).error]).toEqual([401, PAGE, 'invalid_client']);
});

it('lets no page read a response to a client that has a secret', async () => {
  const { register, send } = await open();
  const authorization = basicOf(await register(CODE));
  for (const refresh_token of ['x', '']) {
    const form = { grant_type: 'refresh_token', refresh_token };
    const { origin } = await send('/token', {
      method: 'POST',
      form,
      headers: { origin: PAGE, authorization },
    });
    expect(origin).toBeUndefined();
  }
});

it('refuses requests of pages for a client with a certificate, which a browser would add to them', async () => {
  const { register, send } = await open();
  const { client_id } = await register({
    ...CODE,
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: 'CN=app',
  });
  const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id };
  const { status, origin, body } = await send('/token', { method: 'POST', form, headers: { origin: OTHER } });
  expect([status, origin, JSON.parse(body).error]).toEqual([400, undefined, 'invalid_request']);
  expect((await send('/token', { method: 'POST', form })).status).toBe(401);
});

it.each(['tauri://localhost', 'https://localhost', 'null'])(
  'serves a program that sends the origin %s as if it sent none, with a secret and without',
  async (origin) => {
    const { app, register, send } = await open();
    for (const client of [await register(PUBLIC), await register(CODE)]) {
      const { body } = await tokensOf(app, client);
      const { client_id } = client;
      const headers = {
        origin,
        ...(client.client_secret !== undefined && { authorization: basicOf(client) }),
      };
      const post = (url: string, form: Headers) =>
        send(url, { method: 'POST', headers, form: { client_id, ...form } });
      const refreshed = await post('/token', {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
      });
      expect([refreshed.status, refreshed.origin]).toEqual([200, undefined]);
      const token = JSON.parse(refreshed.body).access_token;
      const claims = await send('/userinfo', { headers: { origin, authorization: `Bearer ${token}` } });
      expect([claims.status, claims.origin]).toEqual([200, undefined]);
      const revoked = await post('/token/revoke', { token });
      expect([revoked.status, revoked.origin]).toEqual([200, undefined]);
    }
  },
);

it('lets the pages of any client read its claims about the end-user', async () => {
  const { app, register, send } = await open();
  const { body } = await tokensOf(app, await register(CODE));
  const claims = (origin: string) =>
    send('/userinfo', { headers: { origin, authorization: `Bearer ${body.access_token}` } });
  const own = await claims(PAGE);
  expect([own.status, own.origin, JSON.parse(own.body).sub]).toEqual([200, PAGE, 'alice']);
  const other = await claims(OTHER);
  expect([other.status, other.origin]).toEqual([200, undefined]);
});

it('lets no page call the operations of the master token, or read a page for people', async () => {
  const { send, preflight } = await open();
  for (const url of ['/direct-authz', '/direct-authz/revoke', '/direct-authz/sessions', '/authorize'])
    expect(await preflight(url, 'POST'), url).toMatchObject({ status: 405, origin: undefined });
  const headers = { origin: PAGE, authorization: `Bearer ${MASTER}` };
  const issued = await send('/direct-authz', { method: 'POST', headers });
  expect(issued.origin).toBeUndefined();
  const page = await send('/authorize?client_id=unknown', { headers: { origin: PAGE } });
  expect([page.status, page.origin]).toEqual([400, undefined]);
});
