import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, postForm, tokensOf } from '../support/code-flow.js';

const CODE = { grant_types: ['authorization_code', 'refresh_token'], scope: 'openid read' };
const API = {
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: `${ISSUER}/token/introspect`,
};

it.each(['identifier', 'jwt'])(
  'issues a token of the format %s for the requested resource server',
  async (format) => {
    const { app, register, sql } = await buildTestApp({ RESOURCE_TOKEN_FORMAT: format }, false, true);
    const [client, api] = [await register(CODE), await register(API)];
    const resource = `${ISSUER}/clients/${api.client_id}`;
    const { body } = await tokensOf(app, client, { resource, scope: 'openid read' });
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const refreshed = await postForm(app, '/token', client, form);
    const tokens = [body.access_token, refreshed.body.access_token];
    for (const token of tokens) expect(token.split('.')).toHaveLength(format === 'jwt' ? 3 : 1);
    const kept = await sql('SELECT audience, username, scope FROM access_token');
    const expected = { audience: [api.client_id], username: 'alice', scope: 'openid read' };
    expect(kept).toEqual(format === 'jwt' ? [] : [expected, expected]);
  },
);

it('finds a resource server by its resource identifiers, with or without a trailing slash (RFC 8707)', async () => {
  const { app, register, sql } = await buildTestApp({ RESOURCE_TOKEN_FORMAT: 'identifier' }, false, true);
  const client = await register(CODE);
  await register({ ...API, resource_identifiers: ['https://api.example/v1', 'https://files.example/'] });
  const audienceOf = async (resource: string) => {
    const { body } = await tokensOf(app, client, { resource, scope: 'openid read' });
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect((await postForm(app, '/token', client, form)).status, resource).toBe(200);
    const kept = await sql('SELECT DISTINCT audience FROM access_token');
    await sql('DELETE FROM access_token');
    return kept;
  };
  for (const [resource, registered] of [
    ['https://api.example/v1', 'https://api.example/v1'],
    ['https://api.example/v1/', 'https://api.example/v1'],
    ['https://files.example', 'https://files.example/'],
  ] as const)
    expect(await audienceOf(resource), resource).toEqual([{ audience: [registered] }]);
});

it('refuses unknown resources, and clients that may not introspect', async () => {
  const { app, register } = await buildTestApp({}, false, true);
  const client = await register(CODE);
  const resources = [
    'https://unknown.example',
    'https://api.example/v1/items',
    `${ISSUER}/clients/unknown`,
    `${ISSUER}/clients/${client.client_id}`,
    `${ISSUER}/clients/%`,
    'not an address',
  ];
  for (const resource of resources) {
    const address = authorizationAddress(client, aVerifier().challenge, { resource, scope: 'openid read' });
    const { location } = await openBrowser(app).go(address);
    expect(new URL(location ?? '').searchParams.get('error'), resource).toBe('invalid_target');
  }
});

it('names an unknown resource in the error, without characters that a description cannot have', async () => {
  const { app, register } = await buildTestApp({}, false, true);
  const client = await register(CODE);
  const cases = [
    ['https://unknown.example/v1', 'https://unknown.example/v1'],
    ['https://unknown.example/"\\\n\u0000\u202e ä', 'https://unknown.example/???????'],
    [`https://unknown.example/${'a'.repeat(500)}`, `https://unknown.example/${'a'.repeat(176)}...`],
  ];
  for (const [resource = '', shown] of cases) {
    const address = authorizationAddress(client, aVerifier().challenge, { resource });
    const { location } = await openBrowser(app).go(address);
    expect(new URL(location ?? '').searchParams.get('error_description')).toBe(
      `the resource ${shown} is not a registered resource server`,
    );
  }
});
