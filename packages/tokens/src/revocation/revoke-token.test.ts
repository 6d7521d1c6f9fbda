import { type ClientId, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { parseScope, type Scope } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { introspect } from '../introspection/introspect.js';
import { issueIdentifierToken } from '../issuing/issue-identifier-token.js';
import { issueInitialAccessToken } from '../issuing/issue-initial-access-token.js';
import { aGrant, aTokenFixture, RS1 } from '../testing/token-fixture.js';
import { revokeToken, UNKNOWN_TOKEN_LIFETIME_SECONDS } from './revoke-token.js';

type World = Awaited<ReturnType<typeof aTokenFixture>>;

const isActive = async (world: World, token: string) =>
  (await introspect(world, { token, caller: RS1, revoke: false })).response.active;

describe('revokeToken', () => {
  it('makes an access token of either format inactive, and no other', async () => {
    const world = await aTokenFixture();
    for (const format of ['identifier', 'jwt'] as const) {
      const [token, other] = [await world[format](), await world[format]()];
      await revokeToken(world, token);
      expect([await isActive(world, token), await isActive(world, other)]).toEqual([false, true]);
    }
  });

  it('revokes a self-contained token in every encoding, because its jti is revoked', async () => {
    const world = await aTokenFixture();
    const claims = { iss: world.issuer, sub: 'a', client_id: 'c', iat: 1, jti: 'j1', exp: 31_536_001 };
    const young = { ...world, clock: { nowMs: () => 2000 } };
    const [first, second] = [await world.signed('at+jwt', claims), await world.signed('at+jwt', claims)];
    expect(first).not.toBe(second);
    expect(await isActive({ ...world, ...young } as World, second)).toBe(true);
    await revokeToken(young, first);
    expect(await isActive({ ...world, ...young } as World, second)).toBe(false);
  });

  it('revokes refresh tokens and initial access tokens too', async () => {
    const world = await aTokenFixture();
    const refreshToken = 'r'.repeat(43);
    world.revocations.holdRefreshToken(world.digester.digest('refresh-token', refreshToken), 'c' as ClientId);
    await revokeToken(world, refreshToken);
    expect(world.revocations.refreshTokenCount()).toBe(0);

    const scope = parseScope('client-reg') as Scope;
    const { accessToken } = await issueInitialAccessToken(world, { scope, lifetimeSeconds: 60 });
    await revokeToken(world, accessToken);
    const digests = world.digester.availableDigests('initial-access-token', accessToken);
    expect(await world.initialAccessTokens.find(digests)).toBeUndefined();
  });

  it('succeeds for a text that is not a token (RFC 7009 section 2.2)', async () => {
    const [world, otherServer] = await Promise.all([aTokenFixture(), aTokenFixture()]);
    for (const text of ['', 'x', 'x'.repeat(43), 'a.b.c', await otherServer.jwt()])
      await expect(revokeToken(world, text)).resolves.toBeUndefined();
  });

  it('reports a JWT that claims to be of the issuer and does not verify, with the reason, and no other text', async () => {
    const [world, otherServer] = await Promise.all([aTokenFixture(), aTokenFixture()]);
    const reasons: string[] = [];
    const deps = { ...world, onUnverifiedJwt: (reason: string) => reasons.push(reason) };
    const ofOtherIssuer = { iss: 'https://other.example', sub: 'a', client_id: 'c', iat: 1, exp: 2 };
    for (const text of [
      'x'.repeat(43),
      'a.b.c',
      await otherServer.signed('at+jwt', ofOtherIssuer),
      await world.jwt(),
    ])
      await revokeToken(deps, text);
    expect(reasons).toEqual([]);
    await revokeToken(deps, await otherServer.jwt());
    expect(reasons).toEqual([expect.stringContaining('the signature does not verify')]);
  });

  it('revokes an identifier-based token that is not known under either kind, so that it cannot be imported later', async () => {
    const world = await aTokenFixture();
    const now = nowSeconds(world.clock);
    const revokedUntil = (text: string) =>
      (['access-token', 'refresh-token'] as const).map((kind) =>
        world.revocations.unknownUntil(world.digester.digest(kind, text)),
      );
    const known = await world.identifier();
    await revokeToken(world, known, { expiresAt: epochSeconds(now + 60) });
    expect(revokedUntil(known)).toEqual([undefined, undefined]);
    const [unknown, short, expired] = ['u'.repeat(43), 's'.repeat(43), 'e'.repeat(43)];
    await revokeToken(world, unknown);
    expect(revokedUntil(unknown)).toEqual(Array(2).fill(now + UNKNOWN_TOKEN_LIFETIME_SECONDS));
    await revokeToken(world, short, { expiresAt: epochSeconds(now + 60) });
    expect(revokedUntil(short)).toEqual([now + 60, now + 60]);
    await revokeToken(world, expired, { expiresAt: now });
    expect(revokedUntil(expired)).toEqual([undefined, undefined]);
  });

  it.each(['access', 'refresh'] as const)('revokes an %s token that is imported meanwhile', async (kind) => {
    const world = await aTokenFixture();
    const text = 'm'.repeat(43);
    const digest = world.digester.digest(`${kind}-token`, text);
    const { state: token } = await issueIdentifierToken(world, aGrant());
    const revocations = {
      ...world.revocations,
      revokeUnknown: async () => {
        if (kind === 'access') await world.accessTokens.insert(digest, token);
        else world.revocations.holdRefreshToken(digest, 'client' as ClientId);
        return false;
      },
    };
    await revokeToken({ ...world, revocations }, text);
    expect(await world.accessTokens.find([digest])).toBeUndefined();
    expect(world.revocations.refreshTokenCount()).toBe(0);
  });

  it('rejects when a store fails', async () => {
    const world = await aTokenFixture();
    const fault = () => Promise.reject(new Error('store down'));
    const revocations = {
      revokeAccessToken: fault,
      revokeRefreshToken: fault,
      revokeSelfContained: fault,
      revokeUnknown: fault,
    };
    for (const token of [await world.identifier(), await world.jwt()])
      await expect(revokeToken({ ...world, revocations }, token)).rejects.toThrow('store down');
  });
});
