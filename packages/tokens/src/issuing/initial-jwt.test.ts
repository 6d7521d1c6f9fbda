import { nowSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import { EMPTY_SCOPE, parseScope } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { revokeToken } from '../revocation/revoke-token.js';
import { aTokenFixture, ISSUER } from '../testing/token-fixture.js';
import { readTokenState } from '../token-state.js';
import { type InitialAccessTokenGrant, issueInitialAccessToken } from './issue-initial-access-token.js';
import { initialTokenReader } from './read-initial-access-token.js';

const GRANT = {
  scope: parseScope('client-reg:grant:code client-reg:scope:a') ?? EMPTY_SCOPE,
  lifetimeSeconds: 600,
  uses: 3,
  format: 'jwt',
} as const satisfies InitialAccessTokenGrant;

function decode(token: string) {
  const [header = '', claims = ''] = token.split('.');
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: parse(header), claims: parse(claims) };
}

describe('an initial access token as a JWT', () => {
  it('has its scope and audience, and a type of its own', async () => {
    const world = await aTokenFixture();
    const confirmation = { 'x5t#S256': 'A'.repeat(43) };
    const { accessToken, state } = await issueInitialAccessToken(world, { ...GRANT, confirmation });
    const { header, claims } = decode(accessToken);
    const now = nowSeconds(world.clock);
    expect(header).toMatchObject({ alg: 'ES256', typ: 'iat+jwt', kid: 'k1' });
    expect(claims).toEqual({
      iss: ISSUER,
      aud: [`${ISSUER}/clients`],
      scope: 'client-reg:grant:code client-reg:scope:a',
      iat: now,
      exp: now + 600,
      jti: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      cnf: confirmation,
    });
    expect(state).toMatchObject({ usesLeft: 3, confirmation, expiresAt: now + 600 });
    expect(state).not.toHaveProperty('format');
  });

  it('is stored under its jti, which is not usable as a token', async () => {
    const world = await aTokenFixture();
    const { accessToken, state } = await issueInitialAccessToken(world, GRANT);
    const name = await initialTokenReader(world).read(accessToken);
    const { jti } = decode(accessToken).claims;
    const found = (text: string) =>
      world.initialAccessTokens.find(world.digester.availableDigests('initial-access-token', text));
    expect(await found(name ?? '')).toEqual(state);
    for (const text of [jti, accessToken]) expect(await found(text)).toBeUndefined();
    // RFC 6750 section 2.1: the characters of a bearer token.
    expect(name).not.toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
  });

  it('is invalid from its expiry on, from another issuer, or without a jti', async () => {
    const world = await aTokenFixture();
    const { accessToken } = await issueInitialAccessToken(world, GRANT);
    const { claims } = decode(accessToken);
    const { read } = initialTokenReader(world);
    for (const deviation of [
      { iss: 'https://x.example' },
      { jti: '' },
      { jti: 1 },
      { exp: '9' },
      { exp: undefined },
    ])
      expect(
        await read(await world.signed(JWT_TYP.initialAccessToken, { ...claims, ...deviation })),
      ).toBeUndefined();
    world.clock.advanceSeconds(599);
    expect(await read(accessToken)).toBeDefined();
    world.clock.advanceSeconds(1);
    expect(await read(accessToken)).toBeUndefined();
  });

  // A token that is accepted as another kind would grant access that was never given (RFC 8725 section 3.11).
  it('is not accepted as another kind of token, nor another kind as one', async () => {
    const world = await aTokenFixture();
    const { accessToken } = await issueInitialAccessToken(world, GRANT);
    expect(await readTokenState(world, accessToken)).toEqual({ found: false, reason: 'not_ours' });
    const { claims } = decode(accessToken);
    const { read } = initialTokenReader(world);
    for (const typ of [...Object.values(JWT_TYP), 'jwt', 'IAT', ''].filter((type) => type !== 'iat+jwt'))
      expect(await read(await world.signed(typ, claims)), typ).toBeUndefined();
    const [header, , signature] = accessToken.split('.');
    const widened = Buffer.from(JSON.stringify({ ...claims, jti: 'other' })).toString('base64url');
    for (const text of [`${header}.${widened}.${signature}`, await world.jwt(), 'a.b.c', '..', 'x'])
      expect(await read(text), text).toBeUndefined();
  });

  it('can be revoked', async () => {
    const world = await aTokenFixture();
    const { accessToken, state } = await issueInitialAccessToken(world, GRANT);
    const { accessToken: other } = await issueInitialAccessToken(world, GRANT);
    await revokeToken(world, accessToken);
    expect(await world.initialAccessTokens.find([state.digest])).toBeUndefined();
    const name = await initialTokenReader(world).read(other);
    const digests = world.digester.availableDigests('initial-access-token', name ?? '');
    expect(await world.initialAccessTokens.find(digests)).toBeDefined();
  });

  it('is refused if it would be too long or has an empty audience', async () => {
    const world = await aTokenFixture();
    const long = parseScope(`client-reg:scope:${'x'.repeat(7_000)}`) ?? EMPTY_SCOPE;
    for (const deviation of [{ scope: long }, { audience: [] }])
      await expect(issueInitialAccessToken(world, { ...GRANT, ...deviation })).rejects.toMatchObject({
        code: 'invalid_request',
      });
  });
});
