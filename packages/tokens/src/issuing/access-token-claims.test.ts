import type { ClientId, EpochSeconds, Issuer } from '@vestibule/protocol';
import type { JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { fromClaims, type SelfContainedToken, toClaims } from './access-token-claims.js';

const issuer = 'https://as.example' as Issuer;
const now = 1_780_000_000 as EpochSeconds;
const token: SelfContainedToken = {
  clientId: 'client' as ClientId,
  scope: 'read write',
  audience: ['rs1', 'rs2'],
  issuer,
  issuedAt: now,
  earliestIssuedAt: now,
  notBefore: (now + 1) as EpochSeconds,
  expiresAt: (now + 600) as EpochSeconds,
  subject: 'alice',
  username: 'alice@example.com',
  jti: 'j1',
  confirmation: { jkt: 't' },
  actor: { sub: 'bob' },
  data: { tier: 'gold' },
  claims: { email: 'a@example.com' },
  sessionId: 's1',
};
const claims = toClaims(token);
const read = (name: string, value: JsonValue) => fromClaims({ ...claims, [name]: value }, issuer, now);
const without = (name: string) => {
  const { [name]: _, ...rest } = claims;
  return fromClaims(rest, issuer, now);
};

describe('claims of a self-contained access token', () => {
  it('are those of RFC 9068 section 2.2', () => {
    expect(claims).toEqual({
      iss: issuer,
      sub: 'alice',
      client_id: 'client',
      aud: ['rs1', 'rs2'],
      scope: 'read write',
      iat: now,
      iat_clock: 'store',
      nbf: now + 1,
      exp: now + 600,
      jti: 'j1',
      cnf: { jkt: 't' },
      act: { sub: 'bob' },
      dat: { tier: 'gold' },
      username: 'alice@example.com',
      sid: 's1',
      email: 'a@example.com',
    });
  });

  it('are parsed back to the same token', () => {
    expect(fromClaims(claims, issuer, now)).toEqual(token);
  });

  it('have the client as the subject if no end-user is involved (RFC 9068 section 2.2)', () => {
    const { subject: _, ...own } = token;
    expect(toClaims(own)).toMatchObject({ sub: 'client' });
  });

  it('are refused when a required one is missing or has another type', () => {
    const bad: JsonValue[] = [null, '', 0.5, -1, [], {}, true];
    for (const name of ['iss', 'sub', 'client_id', 'jti', 'iat', 'exp']) {
      expect(without(name), name).toBeUndefined();
      for (const value of bad) expect(read(name, value), `${name} ${JSON.stringify(value)}`).toBeUndefined();
    }
  });

  it('are refused with times that are not whole seconds from 1970 to 9999', () => {
    for (const name of ['iat', 'exp', 'nbf'])
      for (const value of [`${now}`, now + 0.5, 1e308, Number.MAX_SAFE_INTEGER, -1, null, [now]])
        expect(read(name, value), `${name} ${value}`).toBeUndefined();
  });

  it('are refused when an optional one has another type', () => {
    for (const name of ['scope', 'username', 'sid'])
      for (const value of [null, 1, [], {}]) expect(read(name, value), name).toBeUndefined();
    for (const name of ['cnf', 'act', 'dat'])
      for (const value of [null, 1, [], 'x']) expect(read(name, value), name).toBeUndefined();
  });

  it('are refused with an empty audience, and accept a single name as an audience of one', () => {
    for (const value of [null, '', 1, [], [''], ['rs1', 2], {}]) expect(read('aud', value)).toBeUndefined();
    expect(read('aud', 'rs1')?.audience).toEqual(['rs1']);
    expect(without('aud')?.audience).toEqual([]);
  });

  it('are refused from another issuer', () => {
    for (const value of ['https://other.example', `${issuer}/`, issuer.toUpperCase()])
      expect(read('iss', value)).toBeUndefined();
  });

  it('date a token of another clock earlier by the accepted skew, so that cut-offs cover it', () => {
    expect(read('iat', now + 30)?.earliestIssuedAt).toBe(now + 30);
    for (const unsaid of [read('iat_clock', 'machine'), without('iat_clock')])
      expect(unsaid).toEqual({ ...token, earliestIssuedAt: now - 30 });
  });

  it('are refused when the token would outlive its revocation: dated ahead, or valid for more than a year', () => {
    expect(read('iat', now + 30)).toBeDefined();
    expect(read('iat', now + 31)).toBeUndefined();
    expect(read('exp', now + 365 * 86_400)).toBeDefined();
    expect(read('exp', now + 365 * 86_400 + 1)).toBeUndefined();
  });
});
