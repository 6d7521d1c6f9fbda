import { expect, it } from 'vitest';
import { providerAgreement } from '../../src/compose.js';
import { buildTestApp } from '../support/build-test-app.js';
import { post, send } from '../support/calls.js';

const PROVIDER = [
  'GET /',
  'GET /authorize',
  'POST /authorize',
  'POST /par',
  'POST /token',
  'POST /token/revoke',
  'GET /userinfo',
  'GET /interaction/x',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
];

it('serves no endpoint of the OpenID provider if another server is the provider', async () => {
  const { app } = await buildTestApp({ OPENID_PROVIDER_ENABLED: 'false' });
  for (const operation of PROVIDER)
    expect([operation, (await send(app, operation)).status]).toEqual([operation, 404]);
});

it('still serves direct authorization and the key set', async () => {
  const { app } = await buildTestApp({ OPENID_PROVIDER_ENABLED: 'false' });
  expect((await send(app, 'GET /jwks.json')).status).toBe(200);
  expect((await post(app, '/direct-authz/sessions', { sub: 'alice' })).status).toBe(200);
});

it('tells the other processes which session cookie its provider sets, or that it has none', async () => {
  const { config } = await buildTestApp();
  expect(providerAgreement(config)).toEqual({
    provider: {
      sessionCookie: { name: '__Host-vestibule_session', path: '/', sameSite: 'lax' },
      logoutPath: '/logout',
      isJoined: false,
    },
  });
  expect(providerAgreement({ ...config, OPENID_PROVIDER_ENABLED: false })).toEqual({});
});
