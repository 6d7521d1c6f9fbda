import type { AddressInfo } from 'node:net';
import { JSON_HEADERS, NO_STORE } from '@vestibule/http/testing';
import { describe, expect, it } from 'vitest';
import { aForwardAuth, bearer, forwarded } from '../support/forward-auth-fixture.js';
import { sendRequest } from '../support/send-request.js';

const AMBIGUOUS = {
  status: 400,
  headers: { ...NO_STORE, 'content-type': 'application/json' },
  body: '{"error":"invalid_request","error_description":"The host, path or method of the request is ambiguous"}',
};

describe('a request that the upstream could read differently is refused', () => {
  it.each([
    '/orders/../health',
    '/health/../orders',
    '/orders/%2e%2e/health',
    '//health',
    '/health//',
    '/orders%2f7',
    '/orders\\7',
    '/orders%5c7',
    '/orders;x/7',
    '/orders%3bx',
    '/orders%00',
    '/orders%252f',
    '/HEALTH',
    '/health/',
    '/Orders/7',
    'http://api.example/orders',
  ])('whatever its token and route: %s', async (path) => {
    const { check, issue, endpoint } = await aForwardAuth();
    expect(await check(`GET ${path}`, bearer(issue()))).toEqual(AMBIGUOUS);
    expect(await check(`GET ${path}`)).toEqual(AMBIGUOUS);
    expect(endpoint.requests()).toBe(0);
  });

  it('with a method in small letters, and at a host that is none', async () => {
    const { check } = await aForwardAuth();
    expect(await check('get /health')).toEqual(AMBIGUOUS);
    expect(await check('GET /health', { host: 'api.example, b.example' })).toEqual(AMBIGUOUS);
  });
});

describe('a gateway that does not describe the request', () => {
  const RULE = 'X-Forwarded-Method, X-Forwarded-Host and X-Forwarded-Uri must each be sent once';
  const NAMES = ['x-forwarded-method', 'x-forwarded-host', 'x-forwarded-uri'];
  const described = Object.entries(forwarded('GET', '/health'));

  it.each(NAMES)('without %s gets 400, and the operator learns of it', async (name) => {
    const { app, misconfigurations } = await aForwardAuth();
    const headers = Object.fromEntries(described.filter(([each]) => each !== name));
    const response = await app.inject({ url: '/check', headers });
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: RULE },
    ]);
    expect(response.headers).toMatchObject(JSON_HEADERS);
    expect(misconfigurations).toEqual([RULE]);
  });

  it.each(NAMES)('that sends %s twice, because it left that of the client, gets 400', async (name) => {
    const { app, misconfigurations } = await aForwardAuth();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const headers = Object.fromEntries(
      described.map(([each, value]) => [each, each === name ? [value, value] : value]),
    );
    const { status } = await sendRequest(port, 'GET /check', headers);
    expect([status, misconfigurations]).toEqual([400, [RULE]]);
  });
});
