import { JSON_HEADERS, NO_STORE, type Seen } from '@vestibule/http/testing';
import type { MemberChanges, StatementChanges } from '@vestibule/testkit/federation';
import { expect, it } from 'vitest';
import { ISSUER, send, startFederation } from '../support/test-federation.js';

const JOSE = 'application/jose';

function refusal(error: string, error_description: unknown): unknown {
  return { status: 400, headers: JSON_HEADERS, body: expect.any(String), error, error_description };
}

function read(response: Seen): unknown {
  return { ...response, ...JSON.parse(response.body) };
}

it('says that federation is not enabled, whatever is sent (federation/API.md#errors)', async () => {
  const fixture = await startFederation({ settings: () => ({ FEDERATION_ENABLED: 'false' }) });
  const member = await fixture.relyingParty();
  const request = await fixture.registrationRequest(member, ISSUER);
  for (const [body, type] of [
    [request, 'application/entity-statement+jwt'],
    [request, JOSE],
    ['{}', 'application/json'],
    ['', JOSE],
  ] as const)
    expect(await fixture.register(body, type)).toEqual({
      status: 400,
      headers: JSON_HEADERS,
      body: '{"error":"federation_not_enabled","error_description":"OpenID Federation is not enabled."}',
    });
  expect(member.requestedPaths).toEqual([]);
});

/** One defect each in an otherwise valid statement, for both profiles unless `only` says otherwise. */
const DEFECTS: Readonly<Record<string, StatementChanges & { readonly only?: 'final' | 'draft' }>> = {
  'no JWT': { spoil: () => 'x' },
  'a JWT of two parts': { spoil: (token) => token.split('.').slice(0, 2).join('.') },
  'no algorithm': { header: { alg: 'none' } },
  'a symmetric algorithm': { header: { alg: 'HS256' } },
  EdDSA: { header: { alg: 'EdDSA' }, only: 'draft' },
  'another type': { header: { typ: 'at+jwt' } },
  'no type': { header: { typ: undefined }, only: 'final' },
  'no kid': { header: { kid: undefined }, only: 'final' },
  'no iss': claims({ iss: undefined }),
  'another sub': claims({ sub: 'https://other.example' }),
  'no exp': claims({ exp: undefined }),
  'a text for iat': claims({ iat: 'now' }),
  'no keys': claims({ jwks: undefined }),
  'a private key': claims({
    jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd', kid: 'k' }] },
  }),
  'no superiors': claims({ authority_hints: undefined }),
  'an empty list of superiors': claims({ authority_hints: [] }),
  'a superior that is no entity': claims({ authority_hints: ['http://plain.example'] }),
  'no relying party': claims({ metadata: { federation_entity: {} } }),
  'metadata that is a text': claims({ metadata: 'x' }),
  'a critical claim': claims({ crit: ['x'], x: 1 }),
  'another audience': claims({ aud: 'https://other.example' }),
  'a second audience': claims({ aud: [ISSUER, 'https://other.example'] }),
  'no audience': { claims: { aud: undefined }, only: 'final' },
  'a chain that is a text': { header: { trust_chain: 'x' }, only: 'final' },
  'an endless chain': { header: { trust_chain: Array(1_000).fill('a.b.c') }, only: 'final' },
};

function claims(changes: MemberChanges): StatementChanges {
  return { claims: changes };
}

it('refuses errors that can be found without a key, and fetches nothing', async () => {
  const fixture = await startFederation();
  const member = await fixture.relyingParty();
  for (const [name, { only, ...changes }] of Object.entries(DEFECTS)) {
    const request = await fixture.registrationRequest(member, ISSUER, changes);
    if (only !== 'draft')
      expect(read(await fixture.register(request)), name).toEqual(
        refusal('invalid_request', expect.stringMatching(/^The request is not acceptable: .+\.$/)),
      );
    if (only !== 'final')
      expect(read(await fixture.register(request, JOSE)), name).toEqual(
        refusal('invalid_request', expect.stringMatching(/^The request is not acceptable: .+\.$/)),
      );
  }
  expect(await fixture.clients()).toEqual([]);
  expect(
    [member, ...fixture.intermediates, fixture.anchor].flatMap(({ requestedPaths: requested }) => requested),
  ).toEqual([]);
});

it('refuses other media types, an empty body, and an oversized one', async () => {
  const fixture = await startFederation();
  const member = await fixture.relyingParty();
  const request = await fixture.registrationRequest(member, ISSUER);
  for (const [body, type] of [
    [request, 'application/json'],
    [request, 'application/jwt'],
    [request, 'text/plain'],
    [request, 'application/jose;charset=latin1'],
    ['', JOSE],
    [`${request}\n`, JOSE],
    [request, 'application/trust-chain+json'],
    ['[]', 'application/trust-chain+json'],
    [JSON.stringify([request]), 'application/trust-chain+json'],
    [JSON.stringify(Array(9).fill(request)), 'application/trust-chain+json'],
    ['a'.repeat(400_000), JOSE],
  ] as const)
    expect(read(await fixture.register(body, type)), `${type} ${body.slice(0, 20)}`).toEqual(
      refusal('invalid_request', expect.any(String)),
    );
});

it('accepts the draft profile only with an audience, or not at all, if configured so', async () => {
  for (const [use, withAudience] of [
    ['audience_required', 200],
    ['refused', 400],
  ] as const) {
    const fixture = await startFederation({ settings: () => ({ FEDERATION_OLDER_DIALECT: use }) });
    const member = await fixture.relyingParty();
    const unaddressed = await fixture.registrationRequest(member, undefined);
    expect(read(await fixture.register(unaddressed, JOSE)), use).toEqual(
      refusal('invalid_request', expect.any(String)),
    );
    expect([await fixture.clients(), member.requestedPaths]).toEqual([[], []]);
    const meant = await fixture.registrationRequest(member, ISSUER);
    expect(await fixture.register(meant, JOSE), use).toMatchObject({ status: withAudience });
    fixture.clock.advanceSeconds(1);
    const final = await fixture.registrationRequest(member, ISSUER);
    expect(await fixture.register(final), use).toMatchObject({ status: 200 });
  }
});

it('validates the metadata of trusted entities by the rules for all clients', async () => {
  const fixture = await startFederation();
  for (const [metadata, error] of [
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
    [{ grant_types: ['password'] }, 'invalid_client_metadata'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ id_token_signed_response_alg: 'none' }, 'invalid_client_metadata'],
  ] as const) {
    const member = await fixture.relyingParty({ metadata });
    const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(read(response), JSON.stringify(metadata)).toEqual(refusal(error, expect.any(String)));
  }
  const smuggled = await fixture.relyingParty();
  fixture.intermediates[0].vouchFor(smuggled, {
    metadata_policy: { openid_relying_party: { redirect_uris: { add: ['javascript:alert(1)'] } } },
  });
  const response = await fixture.register(await fixture.registrationRequest(smuggled, ISSUER));
  expect(read(response)).toEqual(refusal('invalid_redirect_uri', expect.any(String)));
  expect(await fixture.clients()).toEqual([]);
});

it('accepts only POST', async () => {
  const { app } = await startFederation();
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    expect(await send(app, { method, url: '/federation/clients' })).toEqual({
      status: 405,
      headers: { ...NO_STORE, allow: 'POST' },
      body: '',
    });
  expect(await send(app, { url: '/federation/clients/x' })).toMatchObject({ status: 404, body: '' });
});

it('responds to internal errors with an empty 500', async () => {
  const fixture = await startFederation();
  const request = await fixture.registrationRequest(await fixture.relyingParty(), ISSUER);
  await fixture.store.close();
  expect(await fixture.register(request)).toEqual({ status: 500, headers: NO_STORE, body: '' });
});

it('throttles a network that sends too many registrations, and no other', async () => {
  const fixture = await startFederation({
    settings: () => ({ RATE_LIMITS_ENABLED: 'true', FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK: '2' }),
  });
  const attempt = (remoteAddress: string) =>
    send(fixture.app, {
      method: 'POST',
      url: '/federation/clients',
      headers: { 'content-type': JOSE },
      payload: 'x',
      remoteAddress,
    });
  for (const expected of [400, 400, 429])
    expect(await attempt('192.0.2.1')).toMatchObject({ status: expected });
  expect(await attempt('192.0.2.2')).toEqual({
    status: 429,
    headers: { ...JSON_HEADERS, 'retry-after': '30' },
    body: '{"error":"too_many_requests","error_description":"Too many requests, try again later"}',
  });
  expect(await attempt('198.51.100.1')).toMatchObject({ status: 400 });
});
