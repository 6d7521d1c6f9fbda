import { operationIds, requireDocumented, requireSoundDocument, seenResponse } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { API_DOCUMENT_PATH, registrationApi, registrationRouteGroup } from '../src/index.js';
import { buildTestApp, ISSUER } from './support/build-test-app.js';
import { API_DOCUMENT, JSON_HEADERS } from './support/calls.js';

it('is committed as generated from the routes; `pnpm --filter @vestibule/registration openapi` writes it', async () => {
  const { deps } = await buildTestApp();
  expect(API_DOCUMENT).toEqual(JSON.parse(JSON.stringify(registrationApi(registrationRouteGroup(deps)))));
});

it('is served without authentication, with the address of the service', async () => {
  const { app } = await buildTestApp();
  const { status, headers, body } = await seenResponse(app, { url: API_DOCUMENT_PATH });
  expect({ status, headers }).toEqual({ status: 200, headers: JSON_HEADERS });
  const { servers, ...rest } = JSON.parse(body);
  expect(servers).toEqual([{ url: ISSUER }]);
  expect(rest).toEqual(API_DOCUMENT);
});

it('describes every operation once and has no dangling reference', () => {
  expect(Object.keys(API_DOCUMENT.paths)).toEqual([
    '/clients',
    '/clients/{id}',
    '/clients/{id}/status',
    '/clients/{id}/secret',
    '/clients/{id}/verify',
    '/clients/{id}/registration-token',
  ]);
  expect(operationIds(API_DOCUMENT).toSorted()).toEqual([
    'changeClientStatus',
    'deleteClient',
    'listClients',
    'patchClient',
    'readClient',
    'readClientStatus',
    'registerClient',
    'rotateClientSecret',
    'rotateRegistrationToken',
    'updateClient',
    'verifyClientCredential',
  ]);
  requireSoundDocument(API_DOCUMENT);
});

// Otherwise the check in every other test would pass whatever the responses are.
it('validates the responses of all tests', () => {
  const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
  const exchange = { method: 'DELETE', url: '/clients/x', status: 204, headers, body: '' };
  requireDocumented(API_DOCUMENT, exchange);
  const wrong = [
    { status: 200 },
    { status: 201 },
    { body: 'x' },
    { headers: { pragma: 'no-cache' } },
    { headers: { ...headers, 'x-other': '1' } },
    { headers: { ...headers, pragma: 'cache' } },
    { method: 'PATCH' },
    { url: '/other' },
    { method: 'GET', status: 200, body: '{}' },
  ];
  for (const deviation of wrong)
    expect(
      () => requireDocumented(API_DOCUMENT, { ...exchange, ...deviation }),
      JSON.stringify(deviation),
    ).toThrow();
  const json = { ...headers, etag: `"${'x'.repeat(43)}"`, 'content-type': 'application/json;charset=UTF-8' };
  const read = { method: 'GET', url: '/clients/x', status: 200, headers: json };
  const client = {
    client_id: 'x',
    client_id_issued_at: 1,
    registration_client_uri: 'https://as.example/clients/x',
  };
  requireDocumented(API_DOCUMENT, { ...read, body: JSON.stringify(client) });
  for (const deviation of [{ client_id: 1 }, { grant_types: 'x' }, { unknown: 1 }])
    expect(() =>
      requireDocumented(API_DOCUMENT, { ...read, body: JSON.stringify({ ...client, ...deviation }) }),
    ).toThrow();
});
