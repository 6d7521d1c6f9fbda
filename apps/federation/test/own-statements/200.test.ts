import { NO_STORE } from '@vestibule/http/testing';
import { epochSeconds } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { ISSUER, send, startFederation } from '../support/test-federation.js';

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

it('publishes our entity configuration, signed with a key of its own that signs nothing else', async () => {
  const fixture = await startFederation({
    settings: ({ intermediates }) => ({
      FEDERATION_ORGANIZATION_NAME: 'Example',
      FEDERATION_DISPLAY_NAME: 'Example login',
      FEDERATION_CONTACTS: 'ops@op.example, +39 06 1',
      FEDERATION_LOGO_URI: 'https://op.example/logo.svg',
      FEDERATION_POLICY_URI: 'https://op.example/policy?lang=en#top',
      FEDERATION_INFORMATION_URI: 'https://op.example/about',
      FEDERATION_ORGANIZATION_URI: 'https://www.example',
      FEDERATION_TRUST_MARKS: mark(intermediates[0].id),
    }),
  });
  const response = await send(fixture.app, { url: '/.well-known/openid-federation' });
  expect(response).toEqual({
    status: 200,
    headers: {
      ...NO_STORE,
      'content-type': 'application/entity-statement+jwt',
      'access-control-allow-origin': '*',
    },
    body: expect.any(String),
  });
  const { jwks } = decodeJwt<{ jwks: { keys: Record<string, unknown>[] } }>(response.body);
  const { payload, protectedHeader } = await jwtVerify(response.body, createLocalJWKSet(jwks as never), {
    currentDate: new Date(fixture.clock.nowMs()),
  });
  const now = Math.floor(fixture.clock.nowMs() / 1000);
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'entity-statement+jwt', kid: jwks.keys[0]?.['kid'] });
  expect(payload).toEqual({
    iss: ISSUER,
    sub: ISSUER,
    iat: now,
    exp: now + 604_800,
    jwks,
    authority_hints: [fixture.intermediates[1].id],
    trust_marks: [
      { trust_mark_type: 'https://marks.example/a', trust_mark: mark(fixture.intermediates[0].id) },
    ],
    metadata: {
      federation_entity: {
        organization_name: 'Example',
        display_name: 'Example login',
        contacts: ['ops@op.example', '+39 06 1'],
        logo_uri: 'https://op.example/logo.svg',
        policy_uri: 'https://op.example/policy?lang=en#top',
        information_uri: 'https://op.example/about',
        organization_uri: 'https://www.example',
        homepage_uri: 'https://www.example',
        federation_historical_keys_endpoint: `${ISSUER}/federation/historical-keys`,
      },
      openid_provider: {
        issuer: ISSUER,
        jwks_uri: `${ISSUER}/jwks.json`,
        client_registration_types_supported: ['automatic', 'explicit'],
        federation_registration_endpoint: `${ISSUER}/federation/clients`,
        signed_jwks_uri: `${ISSUER}/jwks.jwt`,
        request_authentication_methods_supported: {
          authorization_endpoint: ['request_object'],
          pushed_authorization_request_endpoint: [
            'private_key_jwt',
            'self_signed_tls_client_auth',
            'tls_client_auth',
            'request_object',
          ],
        },
        request_authentication_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
      },
    },
  });
  const provider = fixture.store.providerKeys.publicJwks().keys.map(({ kid }) => kid);
  for (const key of jwks.keys) {
    expect(provider).not.toContain(key['kid']);
    for (const member of PRIVATE_MEMBERS) expect(key).not.toHaveProperty(member);
  }
});

it('publishes its retired federation keys, signed with the current one', async () => {
  const fixture = await startFederation();
  const { store, clock } = fixture;
  const now = Math.floor(clock.nowMs() / 1000);
  const [signing] = await store.database.signingKeys.list('federation', epochSeconds(now));
  if (signing === undefined) throw new Error('there is no federation key');
  const earlier = {
    ...signing,
    kid: 'earlier',
    state: 'retired',
    publicJwk: { ...signing.publicJwk, kid: 'earlier' },
    createdAt: epochSeconds(now - 60),
    expiresAt: epochSeconds(now - 30),
  } as const;
  await store.database.signingKeys.insert(earlier);
  const url = '/federation/historical-keys';
  const response = await send(fixture.app, { url });
  expect(response).toMatchObject({
    status: 200,
    headers: { ...NO_STORE, 'content-type': 'application/jwk-set+jwt' },
  });
  const { body: own } = await send(fixture.app, { url: '/.well-known/openid-federation' });
  const present = decodeJwt<{ jwks: { keys: { kid: string }[] } }>(own).jwks;
  expect(present.keys.map(({ kid }) => kid)).toEqual([signing.kid]);
  const { payload, protectedHeader } = await jwtVerify(response.body, createLocalJWKSet(present as never), {
    currentDate: new Date(clock.nowMs()),
  });
  expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'jwk-set+jwt', kid: signing.kid });
  expect(payload).toEqual({
    iss: ISSUER,
    iat: now,
    keys: [{ ...earlier.publicJwk, iat: now - 60, exp: now - 30 }],
  });
  for (const member of PRIVATE_MEMBERS) expect(payload['keys']).not.toHaveProperty(`[0].${member}`);
});

it('publishes the keys of the provider, signed with the federation key', async () => {
  const fixture = await startFederation();
  const response = await send(fixture.app, { url: '/jwks.jwt' });
  expect(response).toMatchObject({
    status: 200,
    headers: { ...NO_STORE, 'content-type': 'application/jwk-set+jwt' },
  });
  const { body: own } = await send(fixture.app, { url: '/.well-known/openid-federation' });
  const keys = createLocalJWKSet(decodeJwt<{ jwks: { keys: [] } }>(own).jwks);
  const { payload, protectedHeader } = await jwtVerify(response.body, keys, {
    currentDate: new Date(fixture.clock.nowMs()),
  });
  expect(protectedHeader['typ']).toBe('jwk-set+jwt');
  // A copy kept for its whole lifetime never lacks a key: a key is published for that long before it signs.
  const now = Math.floor(fixture.clock.nowMs() / 1000);
  expect(payload).toMatchObject({ iss: ISSUER, sub: ISSUER, iat: now, exp: now + 300 });
  expect(payload['keys']).toMatchObject([{ alg: 'ES256' }]);
  for (const member of PRIVATE_MEMBERS) expect((payload['keys'] as object[])[0]).not.toHaveProperty(member);
});

it('lets pages of every origin read them', async () => {
  const { app } = await startFederation();
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  for (const url of ['/.well-known/openid-federation', '/jwks.jwt', '/federation/historical-keys']) {
    const read = await app.inject({ url, headers });
    expect([url, read.statusCode, read.headers['access-control-allow-origin']]).toEqual([url, 200, '*']);
    const preflight = await app.inject({ method: 'OPTIONS', url, headers });
    expect([url, preflight.statusCode]).toEqual([url, 204]);
  }
  const url = '/federation/explain';
  const refused = await app.inject({ method: 'OPTIONS', url, headers });
  expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([405, undefined]);
});

it('is 404 if federation is not enabled', async () => {
  const { app } = await startFederation({ settings: () => ({ FEDERATION_ENABLED: 'false' }) });
  for (const url of ['/.well-known/openid-federation', '/jwks.jwt', '/federation/historical-keys'])
    expect(await send(app, { url })).toEqual({
      status: 404,
      headers: { ...NO_STORE, 'access-control-allow-origin': '*' },
      body: '',
    });
});

function mark(issuer: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part({ iss: issuer, trust_mark_type: 'https://marks.example/a' })}.c2ln`;
}
