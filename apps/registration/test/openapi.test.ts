import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { API_DOCUMENT_PATH, registrationApi, registrationFamily } from '../src/index.js';
import { buildTestApp, ISSUER } from './support/build-test-app.js';
import { JSON_HEADERS, send } from './support/calls.js';
import { API_DOCUMENT_FILE, expectDocumented } from './support/documented.js';

const committed = JSON.parse(await readFile(API_DOCUMENT_FILE, 'utf8'));

/** Every reference and every operation identifier in a document. */
function found(part: unknown, member: string): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => (name === member ? [value] : found(value, member)));
}

it('is committed as the routes make it; `pnpm --filter @vestibule/registration openapi` writes it', async () => {
  const { deps } = await buildTestApp();
  expect(committed).toEqual(JSON.parse(JSON.stringify(registrationApi(registrationFamily(deps)))));
});

it('is served to everybody, with the address of the service', async () => {
  const { app } = await buildTestApp();
  const { status, headers, body } = await send(app, `GET ${API_DOCUMENT_PATH}`);
  expect({ status, headers }).toEqual({ status: 200, headers: JSON_HEADERS });
  const { servers, ...rest } = JSON.parse(body);
  expect(servers).toEqual([{ url: ISSUER }]);
  expect(rest).toEqual(committed);
});

it('describes every operation once, and refers to nothing that is not there', () => {
  expect(Object.keys(committed.paths)).toEqual(['/clients', '/clients/{id}', '/clients/{id}/status']);
  expect(found(committed.paths, 'operationId').toSorted()).toEqual([
    'approveClient',
    'deleteClient',
    'listClients',
    'readClient',
    'readClientStatus',
    'registerClient',
    'updateClient',
  ]);
  const names = Object.keys(committed.components.schemas);
  const references = new Set(found(committed, '$ref'));
  expect([...references].toSorted()).toEqual(names.map((name) => `#/components/schemas/${name}`).toSorted());
  const schemes = found(committed.paths, 'security')
    .flat()
    .flatMap((each) => Object.keys(each as object));
  expect([...new Set(schemes)].toSorted()).toEqual(
    Object.keys(committed.components.securitySchemes).toSorted(),
  );
});

// Otherwise the check of every other test would pass whatever the answers are.
it('is what answers are held against', () => {
  const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
  const exchange = { method: 'DELETE', url: '/clients/x', status: 204, headers, body: '' };
  expectDocumented(exchange);
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
    expect(() => expectDocumented({ ...exchange, ...deviation }), JSON.stringify(deviation)).toThrow();
  const json = { ...headers, etag: `"${'x'.repeat(43)}"`, 'content-type': 'application/json;charset=UTF-8' };
  const read = { method: 'GET', url: '/clients/x', status: 200, headers: json };
  const client = {
    client_id: 'x',
    client_id_issued_at: 1,
    registration_client_uri: 'https://as.example/clients/x',
  };
  expectDocumented({ ...read, body: JSON.stringify(client) });
  for (const deviation of [{ client_id: 1 }, { grant_types: 'x' }, { unknown: 1 }])
    expect(() => expectDocumented({ ...read, body: JSON.stringify({ ...client, ...deviation }) })).toThrow();
});
