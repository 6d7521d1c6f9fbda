import { operationIds, requireDocumented, requireSoundDocument } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { API_DOCUMENT_PATH, directAuthorizationApi, directAuthorizationRouteGroup } from '../src/index.js';
import { createProviderHost } from '../src/provider/provider-host.js';
import { buildTestApp, ISSUER } from './support/build-test-app.js';
import { API_DOCUMENT, JSON_HEADERS, send } from './support/calls.js';

it('is committed as generated from the routes; `pnpm --filter @vestibule/authorization openapi` writes it', async () => {
  const { deps } = await buildTestApp();
  const made = directAuthorizationApi(directAuthorizationRouteGroup(deps, createProviderHost(deps)));
  expect(API_DOCUMENT).toEqual(JSON.parse(JSON.stringify(made)));
});

it('is served without authentication, with the address of the service', async () => {
  const { app } = await buildTestApp();
  const { status, headers, body } = await send(app, `GET ${API_DOCUMENT_PATH}`);
  expect({ status, headers }).toEqual({ status: 200, headers: JSON_HEADERS });
  const { servers, ...rest } = JSON.parse(body);
  expect(servers).toEqual([{ url: ISSUER }]);
  expect(rest).toEqual(API_DOCUMENT);
});

it('describes every operation once and has no dangling reference', () => {
  expect(Object.keys(API_DOCUMENT.paths)).toEqual([
    '/direct-authz',
    '/direct-authz/revoke',
    '/direct-authz/tokens',
    '/direct-authz/sessions',
    '/direct-authz/sessions/{sid}',
    '/direct-authz/sessions/{sid}/clients',
    '/direct-authz/changes',
  ]);
  expect(operationIds(API_DOCUMENT)).toEqual([
    'issueToken',
    'revokeTokens',
    'importTokens',
    'openSession',
    'endSession',
    'enterSession',
    'readChanges',
  ]);
  requireSoundDocument(API_DOCUMENT);
});

// Otherwise the check in every other test would pass whatever the responses are.
it('validates the responses of all tests', () => {
  const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
  const exchange = { method: 'POST', url: '/direct-authz/revoke', status: 204, headers, body: '' };
  requireDocumented(API_DOCUMENT, exchange);
  const wrong = [
    { status: 200 },
    { body: 'x' },
    { headers: { pragma: 'no-cache' } },
    { headers: { ...headers, 'x-other': '1' } },
    { headers: { ...headers, pragma: 'cache' } },
    { method: 'GET' },
    { url: '/direct-authz' },
  ];
  for (const deviation of wrong)
    expect(
      () => requireDocumented(API_DOCUMENT, { ...exchange, ...deviation }),
      JSON.stringify(deviation),
    ).toThrow();
  const json = { ...headers, 'content-type': 'application/json;charset=UTF-8' };
  const issue = { method: 'POST', url: '/direct-authz', status: 200, headers: json };
  const tokens = { access_token: 'x', token_type: 'Bearer', expires_in: 1, scope: '' };
  requireDocumented(API_DOCUMENT, { ...issue, body: JSON.stringify(tokens) });
  for (const deviation of [{ token_type: 'bearer' }, { expires_in: '1' }, { unknown: 1 }, { scope: null }])
    expect(() =>
      requireDocumented(API_DOCUMENT, { ...issue, body: JSON.stringify({ ...tokens, ...deviation }) }),
    ).toThrow();
});
