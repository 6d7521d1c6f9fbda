import { type ClientId, type EpochSeconds, type Issuer, nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { parseScope, type Scope } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { type AccessTokenGrant, grantedToken, MAX_TOKEN_LIFETIME_SECONDS } from './access-token-grant.js';

const clock = frozenClock();
const now = nowSeconds(clock);
const issuer = 'https://as.example' as Issuer;
const grant: AccessTokenGrant = {
  clientId: 'client' as ClientId,
  scope: parseScope('read write') as Scope,
  lifetimeSeconds: 60,
};
const granted = (deviation: Partial<AccessTokenGrant> = {}) =>
  grantedToken({ clock, issuer }, { ...grant, ...deviation });

describe('grantedToken', () => {
  it('is issued now and expires after its lifetime', () => {
    expect(granted()).toEqual({
      clientId: 'client',
      scope: 'read write',
      audience: [],
      issuer,
      issuedAt: now,
      expiresAt: now + 60,
    });
  });

  it('contains each member of the audience once', () => {
    expect(granted({ audience: ['a', 'b', 'a'] }).audience).toEqual(['a', 'b']);
  });

  it('has a lifetime of at most a year', () => {
    expect(granted({ lifetimeSeconds: MAX_TOKEN_LIFETIME_SECONDS }).expiresAt).toBe(now + 365 * 86_400);
    for (const lifetimeSeconds of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 365 * 86_400 + 1])
      expect(() => granted({ lifetimeSeconds })).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
  });

  it('refuses a token that would expire before its nbf', () => {
    expect(() => granted({ notBefore: (now + 60) as EpochSeconds })).toThrow();
    expect(granted({ notBefore: (now + 59) as EpochSeconds }).notBefore).toBe(now + 59);
  });

  it('refuses an empty member of the audience', () => {
    expect(() => granted({ audience: ['rs', ''] })).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('refuses consented claims with the names of protocol members', () => {
    for (const name of ['active', 'sub', 'scope', 'username', 'cnf', 'exp', 'aud', 'client_id', 'sid'])
      expect(() => granted({ claims: { [name]: 'x' } }), name).toThrow();
    expect(granted({ claims: { email: 'a@example.com' } }).claims).toEqual({ email: 'a@example.com' });
  });
});
