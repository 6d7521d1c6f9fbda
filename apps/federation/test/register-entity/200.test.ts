import { NO_STORE } from '@vestibule/http/testing';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ISSUER, signedResponse, startFederation, type TestFederation } from '../support/test-federation.js';

const LIFETIME = 3_600;

/** The keys in our own entity configuration, with which members verify our statements. */
async function ourKeys({ app }: TestFederation) {
  const { body } = await app.inject({ url: '/.well-known/openid-federation' });
  return createLocalJWKSet(decodeJwt<{ jwks: { keys: [] } }>(body).jwks);
}

describe('a registration in the draft profile', () => {
  it('gets the statement of federation/API.md#registration-statement', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const now = Math.floor(fixture.clock.nowMs() / 1000);
    const request = await fixture.registrationRequest(member, undefined, { header: { typ: undefined } });
    const response = await fixture.register(request, 'application/jose;charset=UTF-8');
    expect(response).toEqual({
      status: 200,
      headers: { ...NO_STORE, 'content-type': 'application/jose;charset=UTF-8' },
      body: expect.any(String),
    });
    const { payload } = await jwtVerify(response.body, await ourKeys(fixture), {
      algorithms: ['RS256'],
      currentDate: new Date(fixture.clock.nowMs()),
    });
    const { client_id, client_secret, ...policy } = asPolicy(payload['metadata_policy']);
    expect(payload).toMatchObject({
      iss: ISSUER,
      sub: member.id,
      aud: member.id,
      iat: now,
      exp: now + LIFETIME,
      authority_hints: [fixture.intermediates[0].id],
    });
    expect(payload).not.toHaveProperty('metadata');
    expect(policy).toMatchObject({
      client_id_issued_at: { value: now },
      client_secret_expires_at: { value: 0 },
      grant_types: { value: ['authorization_code'] },
      response_types: { value: ['code'] },
      token_endpoint_auth_method: { value: 'client_secret_basic' },
      id_token_signed_response_alg: { value: 'RS256' },
    });
    expect(client_secret).toEqual({ value: expect.stringMatching(/^[A-Za-z0-9]{43}$/) });
    expect(await fixture.clients()).toMatchObject([
      { id: client_id?.value, origin: 'federation_explicit', expiresAt: now + LIFETIME },
    ]);
  });
});

function asPolicy(policy: unknown): Record<string, { readonly value: unknown }> {
  const { openid_relying_party: members } = policy as Record<string, Record<string, { value: unknown }>>;
  return members ?? {};
}

describe('a registration in the final profile', () => {
  it('gets the registered metadata, the anchor and the immediate superior', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const now = Math.floor(fixture.clock.nowMs() / 1000);
    const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(response).toEqual({
      status: 200,
      headers: { ...NO_STORE, 'content-type': 'application/explicit-registration-response+jwt' },
      body: expect.any(String),
    });
    const { payload, protectedHeader } = await jwtVerify(response.body, await ourKeys(fixture), {
      currentDate: new Date(fixture.clock.nowMs()),
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'explicit-registration-response+jwt' });
    expect(payload).toEqual({
      iss: ISSUER,
      sub: member.id,
      aud: member.id,
      iat: now,
      exp: now + LIFETIME,
      authority_hints: [fixture.intermediates[0].id],
      trust_anchor: fixture.anchor.id,
      jwks: member.jwks,
      metadata: {
        openid_relying_party: expect.objectContaining({
          client_id: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
          client_secret: expect.any(String),
          client_name: 'Small relying party',
          redirect_uris: [`${member.id}/callback`],
        }),
      },
    });
    expect(response.body).not.toContain('registration_access_token');
  });

  it('uses the trust chain in the body or the header, and fetches nothing', async () => {
    const fixture = await startFederation();
    const { anchor, intermediates, registrationRequest } = fixture;
    const [superior] = intermediates;
    const member = await fixture.relyingParty();
    const above = [
      await superior.signSubordinate(member.id),
      await anchor.signSubordinate(superior.id),
      await anchor.signConfiguration(),
    ];
    const own = await registrationRequest(member, ISSUER);
    const inBody = await fixture.register(JSON.stringify([own, ...above]), 'application/trust-chain+json');
    expect(inBody, inBody.body).toMatchObject({ status: 200 });
    fixture.clock.advanceSeconds(1);
    const header = { trust_chain: [await member.signConfiguration(), ...above] };
    const inHeader = await fixture.register(await registrationRequest(member, ISSUER, { header }));
    expect(inHeader, inHeader.body).toMatchObject({ status: 200 });
    expect([anchor, superior, member].flatMap(({ requestedPaths: requested }) => requested)).toEqual([]);
  });
});

describe('a registration', () => {
  it('uses the resolved metadata', async () => {
    const fixture = await startFederation();
    const { anchor, intermediates } = fixture;
    const member = await fixture.relyingParty();
    intermediates[0].vouchFor(member, {
      metadata: { openid_relying_party: { client_name: 'Named by its superior' } },
    });
    anchor.vouchFor(intermediates[0], {
      metadata_policy: {
        openid_relying_party: {
          contacts: { add: ['desk@anchor.example'] },
          token_endpoint_auth_method: { default: 'client_secret_post' },
        },
      },
    });
    const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(signedResponse(response).claims).toMatchObject({
      metadata: {
        openid_relying_party: {
          client_name: 'Named by its superior',
          contacts: ['desk@anchor.example'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      },
    });
  });

  it('never outlives any statement of its chain, nor the configured maximum lifetime', async () => {
    const settings = () => ({ FEDERATION_CLIENT_LIFETIME_SECONDS: '900' });
    for (const [life, expected, configured] of [
      [700, 700, false],
      [700, 700, true],
      [1_200, 900, true],
    ] as const) {
      const fixture = await startFederation(configured ? { settings } : {});
      const now = Math.floor(fixture.clock.nowMs() / 1000);
      const member = await fixture.relyingParty();
      fixture.anchor.vouchFor(fixture.intermediates[0], { exp: now + life });
      const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
      expect(signedResponse(response).claims).toMatchObject({ exp: now + expected });
      expect(await fixture.clients()).toMatchObject([{ expiresAt: now + expected }]);
    }
  });

  it('replaces the previous one', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const registered = async (name: string) => {
      member.metadata['openid_relying_party'] = {
        redirect_uris: [`${member.id}/callback`],
        client_name: name,
      };
      fixture.clock.advanceSeconds(1);
      const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
      return signedResponse(response).claims['metadata']?.['openid_relying_party'] as unknown;
    };
    const [first, second] = [await registered('Before'), await registered('After')];
    expect(second).not.toMatchObject({ client_secret: (first as { client_secret: string }).client_secret });
    expect(await fixture.clients()).toMatchObject([{ metadata: { client_name: 'After' }, version: 2 }]);
  });

  it('is one of any number of parallel ones, by the newest accepted statement', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const now = Math.floor(fixture.clock.nowMs() / 1000);
    const times = Array.from({ length: 50 }, (_, place) => now - (place % 25));
    const taken = await Promise.all(
      times.map(async (iat) => {
        const request = await fixture.registrationRequest(member, ISSUER, { claims: { iat } });
        const { status } = await fixture.register(request);
        expect([200, 401]).toContain(status);
        return status === 200 ? iat : 0;
      }),
    );
    const newest = Math.max(...taken);
    expect(await fixture.clients()).toMatchObject([{ federation: { statementIssuedAt: newest } }]);
    const accepted = taken.filter((iat) => iat > 0);
    expect(new Set(accepted).size).toBe(accepted.length);
  });

  it('needs the configured trust marks, and ends with them', async () => {
    const fixture = await startFederation({
      settings: ({ markType }) => ({
        FEDERATION_REQUIRED_TRUST_MARKS: `https://other.example/m|${markType}`,
      }),
    });
    const member = await fixture.relyingParty();
    const attempt = async () => fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(await attempt()).toMatchObject({ status: 401 });
    expect(fixture.intermediates[0].requestedPaths).toEqual([]);
    const now = Math.floor(fixture.clock.nowMs() / 1000);
    await fixture.mark(member, { claims: { exp: now + 600 } });
    expect(signedResponse(await attempt()).claims).toMatchObject({ exp: now + 600 });
  });

  it('may contain what is configured for federated clients', async () => {
    const settings = () => ({ FEDERATION_RIGHTS: 'client-reg:grant:client client-reg:scope:read' });
    const fixture = await startFederation({ settings });
    const metadata = { grant_types: ['client_credentials'], response_types: [], scope: 'read' };
    const member = await fixture.relyingParty({ metadata });
    const response = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(response, response.body).toMatchObject({ status: 200 });
  });
});
