import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJwt, type VerificationKeySource } from '@vestibule/crypto/jwt';
import { followKeySet, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { withoutOwnKeys } from '@vestibule/crypto/signing-keys';
import { openTestKeyRing } from '@vestibule/crypto/testing';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { introspect } from './introspection/introspect.js';
import { initialTokenReader } from './issuing/read-initial-access-token.js';
import { revokeOwnToken } from './revocation/revoke-own-token.js';
import { revokeToken } from './revocation/revoke-token.js';
import { readSelfContained } from './self-contained-token.js';
import { aTokenFixture, ISSUER, RS1 } from './testing/token-fixture.js';

/** A token fixture that accepts the tokens of another authorization server with the same issuer. */
async function aJoinedFixture() {
  const world = await aTokenFixture();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key: SigningKey = { algorithm: 'ES256', kid: 'theirs', key: privateKey };
  const verificationKeys: VerificationKeySource = async ({ kid }) =>
    kid === 'theirs' ? [{ algorithm: 'ES256', key: publicKey }] : [];
  const deps = { ...world, authorizationServerKeys: { verificationKeys, isTheirs: () => false } };
  const claims = (changes: JsonObject = {}): JsonObject => {
    const iat = nowSeconds(world.clock);
    const required = { iss: ISSUER, sub: 'alice', client_id: 'client', aud: 'rs1', jti: 'j1' };
    return { ...required, iat, exp: iat + 600, scope: 'read', ...changes };
  };
  const without = (name: string, changes: JsonObject = {}): JsonObject =>
    Object.fromEntries(Object.entries(claims(changes)).filter(([each]) => each !== name));
  const signed = (all: JsonObject, typ = 'at+jwt') => signJwt({ key, typ, claims: all });
  const response = async (token: string, clientId: string = RS1.clientId) =>
    (await introspect(deps, { token, caller: { clientId: clientId as ClientId }, revoke: false })).response;
  const isActive = async (token: string) => (await response(token)).active;
  return { deps, claims, without, signed, response, isActive };
}

describe('an access token of the authorization server', () => {
  it('is active with its claims for a caller in its audience, and for no other', async () => {
    const { claims, signed, response } = await aJoinedFixture();
    const token = await signed(claims({ azp: 'client', department: 'sales' }));
    expect(await response(token)).toMatchObject({
      active: true,
      iss: ISSUER,
      client_id: 'client',
      sub: 'alice',
      aud: ['rs1'],
      scope: 'read',
      jti: 'j1',
      department: 'sales',
    });
    expect(await response(token, 'other')).toEqual({ active: false });
  });

  it('is inactive where no other authorization server is configured', async () => {
    const { deps, claims, signed } = await aJoinedFixture();
    const { authorizationServerKeys: _, ...alone } = deps;
    const token = await signed(claims());
    const { decision } = await introspect(alone, { token, caller: RS1, revoke: false });
    expect(decision).toEqual({ active: false, reason: 'not_ours' });
  });

  it('is inactive without a required claim, with a wrong one, or of another issuer', async () => {
    const { claims, without, signed, isActive } = await aJoinedFixture();
    const now = Number(claims()['iat']);
    const missing = ['iss', 'sub', 'client_id', 'iat', 'exp'].map((name) => without(name));
    const wrong: readonly JsonObject[] = [
      { iss: 'https://other.example' },
      { iss: [ISSUER] },
      { sub: '' },
      { client_id: 5 },
      { exp: now },
      { exp: String(now + 600) },
      { iat: now + 31 },
      { nbf: now + 1 },
      { jti: '' },
      { jti: 5 },
      { jti: null },
      { scope: [5] },
      { scope: {} },
      { aud: [] },
    ].map(claims);
    expect(await isActive(await signed(claims()))).toBe(true);
    for (const all of [...missing, ...wrong])
      expect(await isActive(await signed(all)), JSON.stringify(all)).toBe(false);
  });

  it('names its client in azp if it has no client_id', async () => {
    const { without, claims, signed, response } = await aJoinedFixture();
    const token = await signed(without('client_id', { azp: 'client' }));
    expect(await response(token)).toMatchObject({ active: true, client_id: 'client' });
    const both = await signed(claims({ azp: 'another' }));
    expect(await response(both)).toMatchObject({ active: true, client_id: 'client' });
  });

  it('has its scope in scope or scp, as a text or a list', async () => {
    const { without, claims, signed, response } = await aJoinedFixture();
    for (const all of [
      claims({ scope: 'read write' }),
      claims({ scope: ['read', 'write'], scp: 'admin' }),
      without('scope', { scp: ['read', 'write'] }),
      without('scope', { scp: 'read write' }),
    ])
      expect(await response(await signed(all)), JSON.stringify(all)).toMatchObject({ scope: 'read write' });
    expect((await response(await signed(without('scope'))))['scope']).toBeUndefined();
  });

  it('without a jti has one that is derived from what is signed, so that it can be revoked', async () => {
    const { deps, without, signed, response, isActive } = await aJoinedFixture();
    const all = without('jti');
    const [token, other] = [await signed(all), await signed({ ...all, scope: 'write' })];
    // ECDSA signatures differ each time; the signed part does not.
    const sibling = await signed(all);
    expect(sibling).not.toBe(token);
    const jtis = await Promise.all(
      [token, sibling, other].map(async (each) => (await response(each))['jti']),
    );
    expect(jtis[0]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect([jtis[1] === jtis[0], jtis[2] === jtis[0]]).toEqual([true, false]);
    await revokeToken(deps, token);
    expect(await Promise.all([token, sibling, other].map(isActive))).toEqual([false, false, true]);
  });

  it('is revoked by token, and by its own client only', async () => {
    const { deps, claims, signed, isActive } = await aJoinedFixture();
    const [one, two] = [await signed(claims({ jti: 'one' })), await signed(claims({ jti: 'two' }))];
    await revokeOwnToken(deps, 'another' as ClientId, one);
    expect(await isActive(one)).toBe(true);
    await revokeOwnToken(deps, 'client' as ClientId, one);
    expect([await isActive(one), await isActive(two)]).toEqual([false, true]);
    await revokeToken(deps, two);
    expect(await isActive(two)).toBe(false);
  });

  it('is not believed to be dated by our clock, so that a cut-off covers half a minute more', async () => {
    const { deps, claims, signed } = await aJoinedFixture();
    const all = claims({ iat_clock: 'store' });
    const token = await readSelfContained(deps, await signed(all));
    expect(token?.earliestIssuedAt).toBe(Number(all['iat']) - 30);
    expect(token?.claims).toBeUndefined();
  });

  it('of the type JWT is one with the mark of Keycloak, and no other kind of token', async () => {
    const { claims, without, signed, isActive } = await aJoinedFixture();
    const azp = without('client_id', { azp: 'client' });
    const accepted = [
      claims({ typ: 'Bearer' }),
      { ...azp, typ: 'Bearer' },
      { ...azp, typ: 'DPoP', nonce: 'n' },
    ];
    const refused = [
      claims(),
      azp,
      // A refresh token or a link by email of a server that gives every token the type JWT.
      claims({ token_use: 'refresh' }),
      claims({ purpose: 'verify_email' }),
      ...['ID', 'Refresh', 'Offline', 'Logout', '', 5].map((typ) => claims({ typ })),
      ...['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'active', 'token_introspection'].map((name) =>
        claims({ [name]: 'x' }),
      ),
      // The mark of our own tokens means nothing in theirs.
      { ...azp, iat_clock: 'store' },
    ];
    for (const all of accepted)
      expect(await isActive(await signed(all, 'JWT')), JSON.stringify(all)).toBe(true);
    for (const all of refused)
      expect(await isActive(await signed(all, 'JWT')), JSON.stringify(all)).toBe(false);
  });

  it('has the type at+jwt, and none of another kind of JWT', async () => {
    const { deps, claims, signed, isActive } = await aJoinedFixture();
    for (const typ of ['at+jwt', 'application/at+jwt', 'AT+JWT'])
      expect(await isActive(await signed(claims(), typ)), typ).toBe(true);
    for (const typ of [
      'JWT',
      'iat+jwt',
      'logout+jwt',
      'dpop+jwt',
      'token-introspection+jwt',
      'secevent+jwt',
      '',
    ])
      expect(await isActive(await signed(claims(), typ)), typ).toBe(false);
    const initial = await signed(claims(), 'iat+jwt');
    expect(await initialTokenReader(deps).read(initial)).toBeUndefined();
  });

  it('is none that our key signed, even if the key set of the authorization server lists that key', async () => {
    const { deps, claims } = await aJoinedFixture();
    const ring = await openTestKeyRing(['ES256'], deps.clock);
    const copies = followKeySet({ read: async () => parsePublicJwks(ring.publicJwks()), monotonic: () => 0 });
    const joined = { ...deps, keys: ring, authorizationServerKeys: withoutOwnKeys(copies, ring) };
    const isActive = async (typ: string, all: JsonObject) => {
      const token = await signJwt({ key: ring.signingKey('ES256'), typ, claims: all });
      return (await introspect(joined, { token, caller: RS1, revoke: false })).response.active;
    };
    expect(await isActive('at+jwt', claims())).toBe(true);
    // Such as a signed introspection response of the type JWT.
    for (const all of [claims(), claims({ typ: 'Bearer' })]) expect(await isActive('JWT', all)).toBe(false);
  });

  it('needs no key to be inactive if it is of another issuer', async () => {
    const { deps, claims, signed } = await aJoinedFixture();
    let lookups = 0;
    deps.authorizationServerKeys.verificationKeys = async () => {
      lookups += 1;
      return [];
    };
    const token = await signed(claims({ iss: 'https://other.example' }));
    await introspect(deps, { token, caller: RS1, revoke: false });
    expect(lookups).toBe(0);
  });

  it('makes introspection fail while the keys cannot be read, and leaves our own tokens alone', async () => {
    const { deps, claims, signed } = await aJoinedFixture();
    const failing = {
      ...deps,
      authorizationServerKeys: {
        verificationKeys: async () => {
          throw new Error('no keys');
        },
        isTheirs: () => false,
      },
    };
    const token = await signed(claims());
    await expect(introspect(failing, { token, caller: RS1, revoke: false })).rejects.toThrow('no keys');
    const own = await introspect(failing, { token: await deps.jwt(), caller: RS1, revoke: false });
    expect(own.response.active).toBe(true);
  });
});
