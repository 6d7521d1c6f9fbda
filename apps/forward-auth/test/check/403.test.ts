import { NO_STORE } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { aForwardAuth, bearer } from '../support/forward-auth-fixture.js';

const NO_ROUTE = {
  status: 403,
  headers: { ...NO_STORE, 'content-type': 'application/json' },
  body: '{"error":"access_denied","error_description":"No route permits this request"}',
};

it.each([
  ['a path without a route', 'GET /admin', 'api.example'],
  ['a method without a route', 'DELETE /orders/7', 'api.example'],
  ['a host without a resource', 'GET /orders', 'other.example'],
  ['another port', 'GET /orders', 'api.example:8443'],
  ['a preflight, unless a route permits it', 'OPTIONS /orders', 'api.example'],
])('refuses %s, whatever its token', async (_what, target, host) => {
  const { check, issue, endpoint } = await aForwardAuth();
  expect(await check(target, { ...bearer(issue()), host })).toEqual(NO_ROUTE);
  expect(endpoint.requests()).toBe(0);
});

it('refuses a token that lacks a scope value of the route, which the challenge names', async () => {
  const { check, issue } = await aForwardAuth();
  const refused = await check('POST /orders', bearer(issue({ scope: 'orders:write' })));
  expect([refused.status, refused.body]).toEqual([
    403,
    '{"error":"insufficient_scope","error_description":"The access token lacks a scope value"}',
  ]);
  expect(refused.headers['www-authenticate']).toMatch(
    /^Bearer error="insufficient_scope", .*scope="orders:read", resource_metadata=/,
  );
});
