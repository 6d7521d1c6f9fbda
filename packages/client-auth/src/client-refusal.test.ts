import type { Client } from '@vestibule/clients';
import type { ClientId } from '@vestibule/protocol';
import { JWT_BEARER_ASSERTION_TYPE } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { endpointAudiences } from './assertions/endpoint-audiences.js';
import { authenticateClient } from './authenticate-client.js';
import type { CredentialRequest } from './credential-request.js';
import { InvalidClientError } from './invalid-client-error.js';
import { aKeyPair, assertionFixture, assertionRequest, LONG_SECRET } from './testing/assertion-fixture.js';
import { UNEXPLAINED } from './testing/authenticate-by-assertion.js';
import { ISSUER } from './testing/client-fixture.js';

const TOKEN = `${ISSUER}/token`;

async function createFixture() {
  const fixture = await assertionFixture();
  const deps = fixture.depsWith({
    endpointAudiences: endpointAudiences('issuer_or_endpoint', ISSUER, '/par'),
  });
  const refusal = async (request: CredentialRequest): Promise<InvalidClientError> => {
    const error = await authenticateClient(deps, request).catch((thrown: unknown) => thrown);
    if (error instanceof InvalidClientError) return error;
    return expect.fail(`not refused: ${String(error)}`);
  };
  return { ...fixture, deps, refusal };
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  form: {},
});

describe('the description of a refusal', () => {
  it('names the claim and what it must be, without a value of the request, whether or not the client exists', async () => {
    const fixture = await createFixture();
    const { now } = fixture;
    const cases: [changes: Readonly<Record<string, unknown>>, reason: string, description: string][] = [
      [{ aud: 'https://evil.example' }, 'aud', `must be one value: ${ISSUER} or ${TOKEN} or ${ISSUER}/par`],
      [{ aud: [ISSUER, TOKEN] }, 'aud', `must be one value: ${ISSUER} or ${TOKEN} or ${ISSUER}/par`],
      [{ aud: undefined }, 'aud', `must be one value: ${ISSUER} or ${TOKEN} or ${ISSUER}/par`],
      [{ aud: 7 }, 'aud', `must be one value: ${ISSUER} or ${TOKEN} or ${ISSUER}/par`],
      [{ exp: now + 3_631 }, 'exp', 'must be at most 3600 seconds ahead'],
      [{ exp: now }, 'exp', 'has passed'],
      [{ exp: undefined }, 'exp', 'must be a time in seconds since 1970'],
      [{ exp: 'soon' }, 'exp', 'must be a time in seconds since 1970'],
      [{ iat: now + 31 }, 'iat', 'lies in the future'],
      [{ iat: 'now' }, 'iat', 'must be a time in seconds since 1970'],
      [{ nbf: now + 31 }, 'nbf', 'lies in the future'],
      [{ iss: 'other' }, 'iss', 'must be the client_id, like sub'],
      [{ iss: undefined }, 'iss', 'must be the client_id, like sub'],
      [{ jti: undefined }, 'jti', 'is missing; it must be a string that no earlier assertion used'],
      [{ jti: '' }, 'jti', 'must be a string that no earlier assertion used'],
    ];
    for (const key of [undefined, fixture.pair.key, aKeyPair().key]) {
      if (key === fixture.pair.key) fixture.registerKeys();
      for (const [changes, claim, fault] of cases) {
        const error = await fixture.refusal(assertionRequest(await fixture.assertion(changes, key)));
        expect(error.description, JSON.stringify(changes)).toBe(`client_assertion: ${claim} ${fault}`);
        expect(error.refusal.reason).toBe(`assertion_${claim}`);
        expect(error.description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
      }
    }
    expect(fixture.replays.records.size).toBe(0);
  });

  it('names the deciding setting in the log', async () => {
    const fixture = await createFixture();
    const detailOf = async (changes: Readonly<Record<string, unknown>>) =>
      (await fixture.refusal(assertionRequest(await fixture.assertion(changes)))).detail;
    expect(await detailOf({ aud: 'x' })).toMatch(/ASSERTION_AUDIENCE/);
    expect(await detailOf({ exp: fixture.now + 9_999 })).toMatch(/ASSERTION_MAX_LIFETIME_SECONDS/);
  });

  it('names the form parameter of an assertion that cannot be checked', async () => {
    const { refusal, assertion, pair } = await createFixture();
    const typed = await refusal(assertionRequest(await assertion({}, pair.key, 'at+jwt')));
    expect(typed.refusal.reason).toBe('assertion_type');
    const client_assertion = await assertion();
    for (const request of [
      assertionRequest('a.b.c'),
      assertionRequest(await assertion({ sub: undefined })),
      { form: { client_assertion } },
      { form: { client_assertion, client_assertion_type: 'x' } },
      { form: { client_assertion_type: JWT_BEARER_ASSERTION_TYPE } },
    ]) {
      const { description, refusal: cause } = await refusal(request);
      expect(cause.reason).toBe('assertion_malformed');
      expect(description).toMatch(/^client_assertion/);
    }
  });

  it('states that sub must be the client_id if it is missing or not a string', async () => {
    const { refusal, assertion } = await createFixture();
    for (const sub of [undefined, null, 5, '', ['rs1'], {}]) {
      const { description, refusal: cause } = await refusal(assertionRequest(await assertion({ sub })));
      expect(description, JSON.stringify(sub)).toBe('client_assertion: sub must be the client_id');
      expect(cause.reason).toBe('assertion_malformed');
    }
  });

  // Otherwise an attacker would learn which clients exist, are suspended, or belong to a federation.
  it('reveals nothing about the client before its key is proved', async () => {
    const fixture = await createFixture();
    const { refusal, assertion } = fixture;
    const otherKey = aKeyPair().key;
    const withOtherKey = async (claims = {}) => refusal(assertionRequest(await assertion(claims, otherKey)));
    expect(await withOtherKey()).toMatchObject(UNEXPLAINED);
    fixture.registerKeys();
    expect(await withOtherKey()).toMatchObject(UNEXPLAINED);
    fixture.registerKeys({}, { federation: {} as NonNullable<Client['federation']> });
    expect(await withOtherKey({ aud: TOKEN })).toMatchObject(UNEXPLAINED);
    const proved = await refusal(assertionRequest(await assertion({ aud: TOKEN })));
    expect(proved.description).toBe(
      `client_assertion: aud must be one value: ${ISSUER}, because the client is a federation entity`,
    );
    fixture.registerKeys({}, { status: 'suspended' });
    expect(await refusal(assertionRequest(await assertion()))).toMatchObject(UNEXPLAINED);
    fixture.registerKeys({ token_endpoint_auth_method: 'tls_client_auth' });
    expect(await refusal(assertionRequest(await assertion()))).toMatchObject(UNEXPLAINED);
  });

  it('states that a jti was used only to a caller that proved the key', async () => {
    const fixture = await createFixture();
    fixture.registerKeys();
    const jti = 'j1';
    await authenticateClient(fixture.deps, assertionRequest(await fixture.assertion({ jti })));
    const used = await fixture.refusal(assertionRequest(await fixture.assertion({ jti })));
    expect(used.refusal.reason).toBe('assertion_replayed');
    expect(used.description).toMatch(/^client_assertion: jti was used before/);
    const foreign = await fixture.assertion({ jti }, aKeyPair().key);
    expect(await fixture.refusal(assertionRequest(foreign))).toMatchObject(UNEXPLAINED);
  });

  it('names the registered method only to a caller with the right secret', async () => {
    const fixture = await createFixture();
    const requests = {
      client_secret_basic: (secret: string) => ({ form: { client_id: 'rs1', client_secret: secret } }),
      client_secret_post: (secret: string) => basic('rs1', secret),
      client_secret_jwt: (secret: string) => basic('rs1', secret),
    };
    for (const [token_endpoint_auth_method, request] of Object.entries(requests)) {
      await fixture.registerSecret({ token_endpoint_auth_method });
      const right = await fixture.refusal(request(LONG_SECRET));
      const used =
        token_endpoint_auth_method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
      expect(right.description).toBe(
        `The client is registered for ${token_endpoint_auth_method}, but this request used ${used}. Authenticate with ${token_endpoint_auth_method}, or register token_endpoint_auth_method: ${used}`,
      );
      expect(right.refusal.reason).toBe('auth_method');
      expect(await fixture.refusal(request('wrong'))).toMatchObject(UNEXPLAINED);
      const client = await fixture.registerSecret({ token_endpoint_auth_method });
      fixture.register({ ...client, status: 'suspended' }, { token_endpoint_auth_method });
      expect(await fixture.refusal(request(LONG_SECRET))).toMatchObject(UNEXPLAINED);
    }
    expect(await fixture.refusal(basic('rs2' as ClientId, LONG_SECRET))).toMatchObject(UNEXPLAINED);
  });
});

it('endpoints in aud are the token endpoint and the called one, unless only the issuer is accepted', () => {
  expect(endpointAudiences('issuer_or_endpoint', ISSUER, '/par')).toEqual([TOKEN, `${ISSUER}/par`]);
  expect(endpointAudiences('issuer_or_endpoint', ISSUER, '/token')).toEqual([TOKEN]);
  expect(endpointAudiences('issuer', ISSUER, '/par')).toEqual([]);
});
