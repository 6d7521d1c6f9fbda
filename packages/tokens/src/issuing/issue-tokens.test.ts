import { createHmac } from 'node:crypto';
import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';
import { type ClientId, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { parseScope, type Scope } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { aGrant, aTokenFixture, ISSUER } from '../testing/token-fixture.js';
import { JWT_MAX_LENGTH } from '../token-syntax.js';
import { issueIdToken } from './issue-id-token.js';
import { issueIdentifierToken } from './issue-identifier-token.js';
import { issueInitialAccessToken } from './issue-initial-access-token.js';
import { issueJwtToken } from './issue-jwt-token.js';

const INVALID_REQUEST = expect.objectContaining({ code: 'invalid_request' });
const decode = (jwt: string) => decodeUnverifiedJwt(jwt, JWT_MAX_LENGTH);

describe('issueIdentifierToken', () => {
  it('issues alphanumeric text of the configured length, which is not stored', async () => {
    const world = await aTokenFixture();
    for (const tokenLength of [43, 64, 256]) {
      const { accessToken } = await issueIdentifierToken({ ...world, tokenLength }, aGrant());
      expect(accessToken).toMatch(new RegExp(`^[A-Za-z0-9]{${tokenLength}}$`));
      const stored = [...world.accessTokens.tokens].flat();
      expect(JSON.stringify(stored)).not.toContain(accessToken);
    }
  });

  it('refuses to issue texts with fewer than 256 bits', async () => {
    const world = await aTokenFixture();
    await expect(issueIdentifierToken({ ...world, tokenLength: 42 }, aGrant())).rejects.toThrow(RangeError);
  });

  it('refuses a client that does not exist', async () => {
    const world = await aTokenFixture();
    const accessTokens = { insert: async () => false };
    await expect(issueIdentifierToken({ ...world, accessTokens }, aGrant())).rejects.toEqual(INVALID_REQUEST);
  });

  it('names the session of a token that is not stored, because the session may have ended', async () => {
    const world = await aTokenFixture();
    const accessTokens = { insert: async () => false };
    const grant = aGrant({ sessionId: 'session' });
    await expect(issueIdentifierToken({ ...world, accessTokens }, grant)).rejects.toThrow(
      'sid: is a session that has ended, or client_id is not a registered client',
    );
  });
});

describe('issueJwtToken', () => {
  it('signs in the profile of RFC 9068, with a new jti each time', async () => {
    const world = await aTokenFixture();
    const [first, second] = [await world.jwt({ audience: ['rs1'] }), await world.jwt()];
    const now = nowSeconds(world.clock);
    const { header, claims } = decode(first);
    expect(header.members).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'k1' });
    expect(claims).toEqual({
      iss: ISSUER,
      sub: 'alice',
      client_id: 'client',
      aud: ['rs1'],
      scope: 'read write',
      iat: now,
      iat_clock: 'store',
      exp: now + 600,
      jti: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
    });
    expect(decode(second).claims['jti']).not.toBe(claims['jti']);
  });

  it('leaves out aud if the grant has no explicit audience', async () => {
    const world = await aTokenFixture();
    expect(decode(await world.jwt()).claims).not.toHaveProperty('aud');
  });

  it('refuses a token that would be too long to be sent in a header', async () => {
    const world = await aTokenFixture();
    const grant = aGrant({ data: { text: 'x'.repeat(8192) } });
    await expect(issueJwtToken(world, grant)).rejects.toEqual(INVALID_REQUEST);
  });
});

describe('issueInitialAccessToken', () => {
  const grant = { scope: parseScope('client-reg') as Scope, lifetimeSeconds: 3600 };

  it('issues a token for one registration at this server by default', async () => {
    const world = await aTokenFixture();
    const { accessToken } = await issueInitialAccessToken(world, grant);
    const now = nowSeconds(world.clock);
    const found = await world.initialAccessTokens.find(
      world.digester.availableDigests('initial-access-token', accessToken),
    );
    expect(found).toEqual({
      digest: world.digester.digest('initial-access-token', accessToken),
      scope: grant.scope,
      audience: [`${ISSUER}/clients`],
      issuedAt: now,
      expiresAt: now + 3600,
      usesLeft: 1,
    });
  });

  it('stores label, template, uses and audience', async () => {
    const world = await aTokenFixture();
    const details = { uses: 5, label: 'ci', metadataTemplate: { client_name: 'Kit' }, audience: [ISSUER] };
    const { state } = await issueInitialAccessToken(world, { ...grant, ...details });
    expect(state).toMatchObject({ usesLeft: 5, label: 'ci', metadataTemplate: { client_name: 'Kit' } });
    expect(state.audience).toEqual([ISSUER]);
  });

  it('issues a token that is not an access token', async () => {
    const world = await aTokenFixture();
    const { accessToken } = await issueInitialAccessToken(world, grant);
    const digests = world.digester.availableDigests('access-token', accessToken);
    expect(await world.accessTokens.find(digests)).toBeUndefined();
  });

  it('refuses empty scopes and invalid uses, labels, audiences and lifetimes', async () => {
    const world = await aTokenFixture();
    const bad = [
      { scope: parseScope('') as Scope },
      ...[0, -1, 1.5, Number.NaN, 1_000_001].map((uses) => ({ uses })),
      { label: 'x'.repeat(256) },
      { audience: ['https://elsewhere.example'] },
      { lifetimeSeconds: 0 },
    ];
    for (const deviation of bad)
      await expect(issueInitialAccessToken(world, { ...grant, ...deviation })).rejects.toEqual(
        INVALID_REQUEST,
      );
  });
});

describe('issueIdToken', () => {
  const grant = { clientId: 'client' as ClientId, subject: 'alice', lifetimeSeconds: 600 };

  it('issues an ID token for the client only, with login and session if they are known', async () => {
    const world = await aTokenFixture();
    const now = nowSeconds(world.clock);
    const session = { authenticatedAt: (now - 60) as EpochSeconds, sessionId: 's1' };
    const { header, claims } = decode(
      await issueIdToken(world, { ...grant, ...session, algorithm: 'ES256' }),
    );
    expect(header).toMatchObject({ alg: 'ES256', typ: 'JWT', kid: 'k1' });
    const expected = { iss: ISSUER, sub: 'alice', aud: 'client', iat: now, exp: now + 600 };
    expect(claims).toEqual({ ...expected, auth_time: now - 60, sid: 's1' });
  });

  it('signs with the client secret for an HMAC algorithm', async () => {
    const world = await aTokenFixture();
    const clientSecret = 's'.repeat(43);
    const token = await issueIdToken(world, { ...grant, algorithm: 'HS256', clientSecret });
    const [header, payload, signature] = token.split('.');
    expect(createHmac('sha256', clientSecret).update(`${header}.${payload}`).digest('base64url')).toBe(
      signature,
    );
  });

  it('refuses an HMAC algorithm without a secret that is long enough (RFC 7518 section 3.2)', async () => {
    const world = await aTokenFixture();
    for (const secret of [{}, { clientSecret: 's'.repeat(31) }])
      await expect(issueIdToken(world, { ...grant, algorithm: 'HS256', ...secret })).rejects.toEqual(
        INVALID_REQUEST,
      );
  });
});
