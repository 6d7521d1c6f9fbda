import { createMasterToken } from '@vestibule/crypto';
import { createServer } from '@vestibule/http';
import { operationIds, requireDocumented, requireSoundDocument } from '@vestibule/http/testing';
import { expect, it, onTestFinished } from 'vitest';
import { API_DOCUMENT_PATH, federationApi, federationRouteGroup, federationRoutes } from '../src/index.js';
import { API_DOCUMENT, ISSUER } from './support/test-federation.js';

const DEPS = { issuer: ISSUER, masterToken: createMasterToken([]) } as const;

it('is committed as generated from the routes; `pnpm --filter @vestibule/federation-service openapi` writes it', () => {
  expect(API_DOCUMENT).toEqual(JSON.parse(JSON.stringify(federationApi(federationRouteGroup(DEPS)))));
});

it('is served without authentication, with the address of the service', async () => {
  const app = createServer({ logger: false });
  app.register(federationRoutes, DEPS);
  onTestFinished(() => app.close());
  const { statusCode, body } = await app.inject({ url: API_DOCUMENT_PATH });
  const { servers, ...rest } = JSON.parse(body);
  expect([statusCode, servers]).toEqual([200, [{ url: ISSUER }]]);
  expect(rest).toEqual(API_DOCUMENT);
});

it('describes every operation once and has no dangling reference', () => {
  expect(operationIds(API_DOCUMENT)).toEqual([
    'registerEntity',
    'readEntityConfiguration',
    'readSignedKeySet',
    'readHistoricalKeys',
    'explainEntity',
    'dryRunRegistration',
    'openExplanationPage',
    'submitExplanationPage',
  ]);
  requireSoundDocument(API_DOCUMENT);
});

// Otherwise the check in every other test would pass whatever the responses are.
it('validates the responses of all tests', () => {
  const headers = { 'cache-control': 'no-store', pragma: 'no-cache', 'content-type': 'application/jose' };
  const exchange = { method: 'POST', url: '/federation/clients', status: 200, headers, body: 'a.b.c' };
  requireDocumented(API_DOCUMENT, exchange);
  const json = { ...headers, 'content-type': 'application/json', vary: 'Accept' };
  const url = '/federation/explain?sub=x';
  const explanation = { subject: 'x', trusted: false, reason: 'unresolvable', fetches: 1, paths: [] };
  const explained = { method: 'GET', url, status: 200, headers: json };
  requireDocumented(API_DOCUMENT, { ...explained, body: JSON.stringify(explanation) });
  const wrong = [
    { ...exchange, status: 201 },
    { ...exchange, body: 'a.b' },
    { ...exchange, headers: { ...headers, 'content-type': 'text/plain' } },
    ...[{ reason: 'other' }, { unknown: 1 }, { paths: [{}] }].map((change) => ({
      ...explained,
      body: JSON.stringify({ ...explanation, ...change }),
    })),
  ];
  for (const each of wrong)
    expect(() => requireDocumented(API_DOCUMENT, each), JSON.stringify(each)).toThrow(TypeError);
});
