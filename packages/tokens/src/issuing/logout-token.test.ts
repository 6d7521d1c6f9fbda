import { createHmac } from 'node:crypto';
import { decodeUnverifiedJwt, decryptJwt, secretEncryptionKey } from '@vestibule/crypto/jwt';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import { HMAC_ALGORITHMS, type SigningAlgorithm } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { aTokenFixture, ISSUER } from '../testing/token-fixture.js';
import { JWT_MAX_LENGTH } from '../token-syntax.js';
import { issueLogoutToken, LOGOUT_TOKEN_LIFETIME_SECONDS, type LogoutTokenGrant } from './logout-token.js';

const SECRET = 'a'.repeat(64);

const grant = (deviation: Partial<LogoutTokenGrant> = {}): LogoutTokenGrant => ({
  clientId: 'client' as ClientId,
  subject: 'alice',
  sessionId: 'sid-1',
  algorithm: 'ES256',
  ...deviation,
});
const decode = (jwt: string) => decodeUnverifiedJwt(jwt, JWT_MAX_LENGTH);

describe('a logout token', () => {
  it('has exactly the claims of the specification, and its type', async () => {
    const world = await aTokenFixture();
    const { header, claims } = decode(await issueLogoutToken(world, grant()));
    const now = nowSeconds(world.clock);
    expect(header.members).toEqual({ alg: 'ES256', typ: 'logout+jwt', kid: 'k1' });
    expect(claims).toEqual({
      iss: ISSUER,
      sub: 'alice',
      aud: 'client',
      iat: now,
      exp: now + LOGOUT_TOKEN_LIFETIME_SECONDS,
      jti: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      sid: 'sid-1',
    });
    expect(LOGOUT_TOKEN_LIFETIME_SECONDS).toBeLessThanOrEqual(120);
  });

  it('has a new jti each time', async () => {
    const world = await aTokenFixture();
    const tokens = await Promise.all(Array.from({ length: 100 }, () => issueLogoutToken(world, grant())));
    expect(new Set(tokens.map((token) => decode(token).claims['jti'])).size).toBe(100);
  });

  it('contains a subject or a session, whichever is known, and is refused without both', async () => {
    const world = await aTokenFixture();
    const { subject: _subject, ...ofSession } = grant();
    expect(decode(await issueLogoutToken(world, ofSession)).claims).not.toHaveProperty('sub');
    const { sessionId: _sid, ...ofUser } = grant();
    expect(decode(await issueLogoutToken(world, ofUser)).claims).not.toHaveProperty('sid');
    const { subject: _noSubject, ...ofNeither } = ofUser;
    await expect(issueLogoutToken(world, ofNeither)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is signed with the client secret if ID tokens are, and refused if that is too short', async () => {
    const world = await aTokenFixture();
    for (const algorithm of HMAC_ALGORITHMS) {
      const token = await issueLogoutToken(world, grant({ algorithm, clientSecret: SECRET }));
      expect(decode(token).header.members).toEqual({ alg: algorithm, typ: 'logout+jwt' });
      const [header, claims, signature] = token.split('.');
      const hmac = createHmac(`sha${algorithm.slice(2)}`, SECRET).update(`${header}.${claims}`);
      expect(signature).toBe(hmac.digest('base64url'));
      const short = grant({ algorithm, clientSecret: 'short' });
      await expect(issueLogoutToken(world, short)).rejects.toMatchObject({ code: 'invalid_request' });
      const none = grant({ algorithm: algorithm as SigningAlgorithm });
      await expect(issueLogoutToken(world, none)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('is signed and then encrypted if encryption is set', async () => {
    const world = await aTokenFixture();
    const encryption = 'A128CBC-HS256';
    const key = secretEncryptionKey(SECRET, 'dir', encryption);
    const token = await issueLogoutToken(world, grant({ encryption: { key, encryption } }));
    const options = {
      keys: async () => [key],
      algorithms: ['dir'],
      encryptions: [encryption],
      maxLength: 8192,
    } as const;
    const inner = decode(await decryptJwt(token, options));
    expect(inner.header.members).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' });
    expect(inner.claims).toMatchObject({ sub: 'alice', sid: 'sid-1' });
  });
});
