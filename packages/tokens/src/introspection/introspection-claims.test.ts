import { randomBytes } from 'node:crypto';
import type { ClientId, EpochSeconds, Issuer } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { derivedJti, introspectionClaims, legacyIntrospectionClaims } from './introspection-claims.js';

const ENVELOPE = {
  issuer: 'https://as.example' as Issuer,
  caller: 'rs1' as ClientId,
  issuedAt: 1_700_000_000 as EpochSeconds,
};
const RESPONSE = { active: true, sub: 'alice', exp: 9, iat: 1, aud: ['rs1'], iss: 'other', jti: 'own' };

function jwt(claims: unknown): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${encode(claims)}.AAAA`;
}

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

it('derives equal jtis from equal texts, and different ones from different texts, whatever jti they contain', () => {
  const texts = ['', 'x', 'a.b.c', jwt({}), jwt({ jti: 5 }), jwt({ jti: 'own' }), jwt([]), 'x'.repeat(43)];
  for (const text of texts) {
    expect(derivedJti(text)).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(derivedJti(text)).toBe(derivedJti(text));
  }
  expect(new Set(texts.map(derivedJti)).size).toBe(texts.length);
});

it('never derives a jti that is the token itself or a part of it', () => {
  for (let round = 0; round < 50; round += 1) {
    const token = randomBytes(33).toString('base64url');
    expect(token).not.toContain(derivedJti(token));
  }
});
