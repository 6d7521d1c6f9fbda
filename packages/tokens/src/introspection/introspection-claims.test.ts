import type { ClientId, EpochSeconds, Issuer } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { introspectionClaims, legacyIntrospectionClaims } from './introspection-claims.js';

const ENVELOPE = {
  issuer: 'https://as.example' as Issuer,
  caller: 'rs1' as ClientId,
  issuedAt: 1_700_000_000 as EpochSeconds,
};
const RESPONSE = { active: true, sub: 'alice', exp: 9, iat: 1, aud: ['rs1'], iss: 'other', jti: 'own' };

it('separates the response from the envelope, and has no sub and exp at the top level', () => {
  expect(introspectionClaims(ENVELOPE, RESPONSE)).toEqual({
    iss: 'https://as.example',
    aud: 'rs1',
    iat: 1_700_000_000,
    token_introspection: RESPONSE,
  });
});

it('replaces members of the token by those of the envelope in the legacy form', () => {
  expect(legacyIntrospectionClaims(ENVELOPE, RESPONSE, 'name')).toEqual({
    active: true,
    sub: 'alice',
    exp: 9,
    iss: 'https://as.example',
    aud: 'rs1',
    iat: 1_700_000_000,
    jti: 'name',
  });
});
