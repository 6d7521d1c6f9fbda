import { operationIds, requireDocumented, requireSoundDocument } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { API_DOCUMENT_PATH, forwardAuthApi, forwardAuthRouteGroup } from '../src/index.js';
import { API_DOCUMENT, aForwardAuth } from './support/forward-auth-fixture.js';

it('is committed as generated from the routes; `pnpm --filter @vestibule/forward-auth-service openapi` writes it', async () => {
  const { forwardAuth } = await aForwardAuth();
  const generated = forwardAuthApi(forwardAuthRouteGroup(forwardAuth.deps));
  expect(API_DOCUMENT).toEqual(JSON.parse(JSON.stringify(generated)));
});

it('is served without authentication', async () => {
  const { app } = await aForwardAuth();
  const { statusCode, body } = await app.inject({ url: API_DOCUMENT_PATH });
  expect([statusCode, JSON.parse(body)]).toEqual([200, API_DOCUMENT]);
});

it('describes every operation once and has no dangling reference', () => {
  expect(operationIds(API_DOCUMENT)).toEqual([
    'checkRequest',
    'readResourceMetadata',
    'readUpstreamTokenKeys',
  ]);
  requireSoundDocument(API_DOCUMENT);
});

// Otherwise the check in every other test would pass whatever the responses are.
it('validates the responses of all tests', () => {
  const headers = {
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'x-token-subject': '',
    'x-token-client': '',
    'x-token-scope': '',
    'x-token-username': '',
    'x-token-issuer': '',
    'x-token-expiry': '',
  };
  const exchange = { method: 'GET', url: '/check', status: 200, headers, body: '' };
  requireDocumented(API_DOCUMENT, exchange);
  const { 'x-token-scope': _scope, ...fewer } = headers;
  for (const wrong of [
    { ...exchange, status: 201 },
    { ...exchange, headers: fewer },
    { ...exchange, headers: { ...headers, 'x-token-email': '' } },
    { ...exchange, body: '{}' },
  ])
    expect(() => requireDocumented(API_DOCUMENT, wrong), JSON.stringify(wrong)).toThrow(TypeError);
});
