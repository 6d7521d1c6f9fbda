import type { Server } from '@vestibule/http';
import { requireDocumented, seenResponse } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { API_DOCUMENT, pathOf, registered } from '../support/calls.js';

const PAGE = 'https://app.example';
const OTHERS = [
  'https://other.example',
  'http://app.example',
  `${PAGE}:8443`,
  `${PAGE}.evil.example`,
  'null',
  '',
];
const SHARED = {
  'access-control-allow-origin': PAGE,
  'access-control-expose-headers': 'ETag, Idempotency-Replayed, Link, Retry-After, WWW-Authenticate',
};

type Headers = Readonly<Record<string, string>>;

/** The CORS headers of a response, and the response without them. */
async function send(app: Server, target: string, headers: Headers, payload?: string) {
  const [method = '', url = ''] = target.split(' ');
  const request = { method: method as 'GET', url, headers, ...(payload !== undefined && { payload }) };
  const { headers: received, ...rest } = await seenResponse(app, request);
  const entries = Object.entries(received);
  const isAbout = ([name]: [string, unknown]) => name.startsWith('access-control-');
  const others = Object.fromEntries(entries.filter((entry) => !isAbout(entry)));
  const { vary, ...plain } = others;
  const about = Object.fromEntries(entries.filter(isAbout));
  return { about, vary, response: { ...rest, headers: plain } };
}

/** A request for every status of the endpoint, to a service that permits cross-origin requests. */
async function everyResponse(settings: Headers) {
  const test = await buildTestApp({ OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '1', ...settings });
  const { client_id: id, registration_access_token: token } = await registered(
    (await test.anotherInstance({ CORS_ALLOWED_ORIGINS: '' })).app,
  );
  const json = { 'content-type': 'application/json' };
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  const body = JSON.stringify({ redirect_uris: [`${PAGE}/cb`] });
  const open = { ...json, 'x-forwarded-for': '192.0.2.1' };
  const { initialToken } = test;
  const requests: readonly (readonly [number, string, Headers, string?])[] = [
    [200, 'GET /clients', bearer(MASTER)],
    [200, `GET ${pathOf(id)}`, bearer(token)],
    [304, `GET ${pathOf(id)}`, { ...bearer(token), 'if-none-match': '*' }],
    [200, `GET ${pathOf(id)}/status`, bearer(token)],
    [400, 'POST /clients', { ...json, ...bearer(MASTER) }, '{'],
    [401, `GET ${pathOf(id)}`, {}],
    [403, 'GET /clients', bearer(await initialToken('client-reg'))],
    [404, `GET ${pathOf('unknown')}`, bearer(MASTER)],
    [405, 'PUT /clients', {}],
    [405, `OPTIONS ${pathOf(id)}`, {}],
    [412, `DELETE ${pathOf(id)}`, { ...bearer(token), 'if-match': '"x"' }],
    [200, 'POST /clients', open, body],
    [429, 'POST /clients', open, body],
  ];
  return { ...test, id, requests };
}

const OPEN = { ALLOW_OPEN_REGISTRATION: 'true' };

it('sends no CORS headers if no origin is allowed', async () => {
  const { app, requests } = await everyResponse(OPEN);
  for (const [status, target, headers, payload] of requests) {
    const { about, vary, response } = await send(app, target, { ...headers, origin: PAGE }, payload);
    expect([response.status, about, vary], target).toEqual([
      status,
      {},
      target === 'GET /clients' && status === 200 ? 'Accept' : undefined,
    ]);
  }
});

it('lets pages of an allowed origin read every response, and those of another origin none', async () => {
  const { app, requests } = await everyResponse({
    ...OPEN,
    CORS_ALLOWED_ORIGINS: `http://localhost:3000,${PAGE}`,
  });
  for (const [status, target, headers, payload] of requests) {
    const seen = await send(app, target, { ...headers, origin: PAGE }, payload);
    const isList = target === 'GET /clients' && status === 200;
    expect([seen.response.status, seen.about, seen.vary], target).toEqual([
      status,
      SHARED,
      isList ? 'Accept, Origin' : 'Origin',
    ]);
    const [method = '', url = ''] = target.split(' ');
    const received = { ...seen.response.headers, ...seen.about, vary: seen.vary };
    requireDocumented(API_DOCUMENT, { method, url, ...seen.response, headers: received });
    if (target === 'POST /clients') continue;
    for (const origin of OTHERS) {
      const other = await send(app, target, { ...headers, origin }, payload);
      expect([other.about, other.vary], `${target} ${origin}`).toEqual([{}, seen.vary]);
      expect(other.response).toEqual(seen.response);
    }
  }
});

it('lets pages read an internal error', async () => {
  const { app, store } = await buildTestApp({ CORS_ALLOWED_ORIGINS: PAGE });
  await store.close();
  const headers = { authorization: `Bearer ${MASTER}`, origin: PAGE };
  const { response, about } = await send(app, 'GET /clients', headers);
  expect([response.status, about]).toEqual([500, SHARED]);
});

const preflight = (origin: string, method = 'POST'): Headers => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization,content-type',
  'access-control-request-private-network': 'true',
});

it('responds to preflight requests of allowed origins with what the resource supports, and to no others', async () => {
  const { app } = await buildTestApp({ CORS_ALLOWED_ORIGINS: PAGE });
  for (const [path, methods] of [
    ['/clients', 'POST, GET'],
    ['/clients/x', 'GET, PUT, PATCH, DELETE'],
    ['/clients/x/status', 'GET, PUT'],
  ] as const) {
    const { about, vary, response } = await send(app, `OPTIONS ${path}`, preflight(PAGE));
    expect({ about, vary, response }, path).toEqual({
      about: {
        ...SHARED,
        'access-control-allow-methods': methods,
        'access-control-allow-headers':
          'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Accept, MCP-Protocol-Version',
        'access-control-max-age': '7200',
      },
      vary: 'Origin',
      response: { status: 204, headers: { 'cache-control': 'no-store', pragma: 'no-cache' }, body: '' },
    });
    for (const origin of OTHERS) {
      const other = await send(app, `OPTIONS ${path}`, preflight(origin));
      expect([other.about, other.response.status, other.response.headers['allow']], origin).toEqual([
        {},
        405,
        methods,
      ]);
    }
  }
  const elsewhere = await send(app, 'OPTIONS /nowhere', preflight(PAGE));
  expect([elsewhere.response.status, elsewhere.about]).toEqual([404, {}]);
});

it('permits all pages if all origins are allowed, including pages without an origin', async () => {
  const { app } = await buildTestApp({ CORS_ALLOWED_ORIGINS: '*' });
  for (const origin of [PAGE, ...OTHERS.slice(0, 5)]) {
    const requested = await send(app, 'OPTIONS /clients', preflight(origin));
    expect([
      requested.response.status,
      requested.about['access-control-allow-origin'],
      requested.vary,
    ]).toEqual([204, '*', undefined]);
    expect(requested.about).not.toHaveProperty('access-control-allow-credentials');
    expect(requested.about).not.toHaveProperty('access-control-allow-private-network');
    const { about, vary } = await send(app, 'GET /clients', { origin, authorization: `Bearer ${MASTER}` });
    expect([about['access-control-allow-origin'], vary]).toEqual(['*', 'Accept']);
  }
});
