import { authorizeRegistration, registerClient } from '@vestibule/clients/registration';
import { expect, it } from 'vitest';
import { buildTestApp, ISSUER, NOW, type TestApp } from '../support/build-test-app.js';
import { issued, JSON_HEADERS, post } from '../support/calls.js';

/** Registers with a token as the registration endpoint does. */
async function registerWith({ store, registration }: TestApp, token: string) {
  const { initialAccessTokens } = store.database;
  const accessTokens = { isAccessToken: async () => false };
  const authority = await authorizeRegistration(
    { ...registration, initialAccessTokens, accessTokens },
    { token },
  );
  const body = { redirect_uris: ['https://app.example/cb'] };
  return (await registerClient(registration, { authority, body })).information;
}

it('issues a token for one registration within a day, stored as a digest in a separate table (authorization/API.md#initial-access-tokens)', async () => {
  const service = await buildTestApp();
  const { app, store, sql } = service;
  const response = await post(app, '/direct-authz', { scope: 'client-reg' });
  const { access_token: token } = JSON.parse(response.body);
  expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
  expect(response).toEqual({
    status: 200,
    headers: JSON_HEADERS,
    body: JSON.stringify({
      access_token: token,
      token_type: 'Bearer',
      expires_in: 86_400,
      scope: 'client-reg',
    }),
  });
  const digests = store.digester.availableDigests('initial-access-token', token);
  expect(await store.database.initialAccessTokens.find(digests)).toEqual({
    digest: Uint8Array.from(digests[0] ?? []),
    scope: new Set(['client-reg']),
    audience: [`${ISSUER}/clients`],
    issuedAt: NOW,
    expiresAt: NOW + 86_400,
    usesLeft: 1,
  });
  expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 0 }]);
  expect(await registerWith(service, token)).toMatchObject({ grant_types: ['authorization_code'] });
  await expect(registerWith(service, token)).rejects.toMatchObject({ code: 'invalid_token' });
});

it('keeps every member that is allowed for such a token', async () => {
  const service = await buildTestApp({ INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS: '60' });
  const { app, store } = service;
  const scope = 'client-reg:grant:code client-reg:scope:openid client-reg:data';
  const metadata = { client_name: 'Template', data: { from: 'template' } };
  const request = { scope, aud: [ISSUER], expires_in: 30, uses: 3, label: 'for the shop', metadata };
  const response = await issued(app, request);
  expect(response).toMatchObject({ token_type: 'Bearer', expires_in: 30, scope });
  const digests = store.digester.availableDigests('initial-access-token', response.access_token);
  expect(await store.database.initialAccessTokens.find(digests)).toEqual({
    digest: Uint8Array.from(digests[0] ?? []),
    scope: new Set(scope.split(' ')),
    audience: [ISSUER],
    issuedAt: NOW,
    expiresAt: NOW + 30,
    usesLeft: 3,
    label: 'for the shop',
    metadataTemplate: metadata,
  });
  expect(await registerWith(service, response.access_token)).toMatchObject(metadata);
  expect((await issued(app, { scope })).expires_in).toBe(60);
});

it('keeps the key that the token is bound to, and registration enforces it', async () => {
  const service = await buildTestApp();
  const cnf = { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' };
  const { access_token: token } = await issued(service.app, { scope: 'client-reg', cnf });
  const digests = service.store.digester.availableDigests('initial-access-token', token);
  expect(await service.store.database.initialAccessTokens.find(digests)).toMatchObject({ confirmation: cnf });
  await expect(registerWith(service, token)).rejects.toMatchObject({ code: 'invalid_token' });
});

it.each([
  'client-reg',
  'client-reg:grant:code',
  'client-reg:grant:implicit',
  'client-reg:grant:refresh',
  'client-reg:grant:password',
  'client-reg:grant:client',
  'client-reg:grant:jwt',
  'client-reg:grant:saml',
  'client-reg:scope',
  'client-reg:scope:openid',
  'client-reg:scope:https://as.example/token/introspect',
  'client-reg:data',
  'client-reg:set-id',
  'client-reg:set-secret',
])('accepts the scope value %s (registration/API.md#scopes)', async (scope) => {
  const { app, sql } = await buildTestApp();
  expect((await issued(app, { scope, aud: [`${ISSUER}/clients`] })).scope).toBe(scope);
  expect(await sql('SELECT scope FROM initial_access_token')).toEqual([{ scope }]);
});
