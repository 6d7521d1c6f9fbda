import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from '@vestibule/resource-server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IDENTITY_HEADERS, identityHeaders, NO_IDENTITY } from './identity-headers.js';

const aToken = (deviation: Partial<AccessToken> = {}): AccessToken => ({
  claims: {},
  subject: undefined,
  clientId: undefined,
  scope: [],
  audience: [],
  expiresAt: undefined,
  notBefore: undefined,
  confirmation: {},
  ...deviation,
});

describe('identity headers', () => {
  it('tell what the token tells', () => {
    const token = aToken({
      claims: { username: 'Ada Lovelace', iss: 'https://as.example' },
      subject: 'ada',
      clientId: 'app',
      scope: ['orders:read', 'orders:write'],
      expiresAt: 1_800_000_000 as EpochSeconds,
    });
    expect(identityHeaders(token)).toEqual({
      'X-Token-Subject': 'ada',
      'X-Token-Client': 'app',
      'X-Token-Scope': 'orders:read orders:write',
      'X-Token-Username': 'Ada%20Lovelace',
      'X-Token-Issuer': 'https://as.example',
      'X-Token-Expiry': '1800000000',
    });
  });

  it('are all there and empty if the token tells nothing, or something else than a text', () => {
    expect(identityHeaders(aToken({ claims: { username: { a: 1 }, iss: 7 } }))).toEqual(NO_IDENTITY);
    expect(Object.keys(NO_IDENTITY)).toEqual(IDENTITY_HEADERS);
    expect(new Set(Object.values(NO_IDENTITY))).toEqual(new Set(['']));
  });

  it('have only visible ASCII, from which every value is decoded again', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom('100%', 'a%20b', '%')), (subject) => {
        const value = identityHeaders(aToken({ subject }))['X-Token-Subject'] ?? '';
        expect(value).toMatch(/^[!-~]*$/);
        expect(decodeURIComponent(value)).toBe(subject);
      }),
    );
  });
});
