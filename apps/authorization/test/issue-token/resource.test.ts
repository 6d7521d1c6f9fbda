import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { badRequest, issued, post } from '../support/calls.js';

const API = { grant_types: ['client_credentials'], response_types: [], scope: `${ISSUER}/token/introspect` };
const IDENTIFIERS = ['https://orders.example/v1', 'https://files.example/'];

/** A server with a client, and two resource servers of which one has resource identifiers. */
async function createFixture() {
  const here = await buildTestApp();
  const client = await here.register();
  const orders = await here.register({ ...API, resource_identifiers: IDENTIFIERS });
  const stock = await here.register(API);
  return { ...here, client, orders, stock };
}

it('gives a token the resource identifiers as registered, of every resource that the request names', async () => {
  const { app, client, orders, stock } = await createFixture();
  const cases = [
    [['https://orders.example/v1/'], [IDENTIFIERS[0]]],
    [['https://files.example'], [IDENTIFIERS[1]]],
    [[orders.client_id], [orders.client_id]],
    [[`${ISSUER}/clients/${stock.client_id}`], [stock.client_id]],
    [
      ['https://orders.example/v1', stock.client_id],
      [IDENTIFIERS[0], stock.client_id],
    ],
    [['https://files.example', 'https://files.example/'], [IDENTIFIERS[1]]],
  ] as const;
  for (const [resource, aud] of cases) {
    const request = { client_id: client.client_id, scope: 'read', resource, format: 'jwt' };
    const { access_token: token } = await issued(app, request);
    expect(decodeJwt(token).aud, String(resource)).toEqual(aud);
  }
});

it('stores the same audience with an identifier-based token', async () => {
  const { app, client, sql } = await createFixture();
  await issued(app, { client_id: client.client_id, scope: 'read', resource: ['https://files.example'] });
  expect(await sql('SELECT audience FROM access_token')).toEqual([{ audience: ['https://files.example/'] }]);
});

it('refuses an unknown resource by its index, and a resource beside aud, and issues nothing', async () => {
  const { app, client, orders, sql } = await createFixture();
  const request = { client_id: client.client_id, scope: 'openid read', sub: 'alice' };
  const known = orders.client_id;
  const unknown = 'resource[1]: is not a registered resource server';
  for (const name of ['https://unknown.example', 'https://orders.example', client.client_id, 'a\ufffeb'])
    expect(await post(app, '/direct-authz', { ...request, resource: [known, name] })).toEqual(
      badRequest(unknown),
    );
  expect(await post(app, '/direct-authz', { ...request, resource: [known], aud: [known] })).toEqual(
    badRequest('aud: not allowed together with resource'),
  );
  expect(await post(app, '/direct-authz', { scope: 'client-reg', resource: [known] })).toEqual(
    badRequest('resource: not allowed for an initial access token'),
  );
  expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 0 }]);
});
