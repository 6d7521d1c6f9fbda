import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { derivedJti } from './derived-jti.js';

function jwt(claims: unknown): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${encode(claims)}.AAAA`;
}

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
