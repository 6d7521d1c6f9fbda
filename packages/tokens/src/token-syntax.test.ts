import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenSyntax } from './token-syntax.js';

const base64url = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'));

describe('tokenSyntax', () => {
  it('recognizes three base64url parts as a self-contained token', () => {
    fc.assert(
      fc.property(base64url, base64url, base64url, (header, payload, signature) => {
        expect(tokenSyntax(`${header}.${payload}.${signature}`)).toBe('jwt');
      }),
    );
  });

  it('accepts one encoding of a self-contained token: other last characters for the same bytes are impossible', () => {
    const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const bytes = Buffer.from([1, 2, 3, 4]);
    const spelling = bytes.toString('base64url');
    const siblings = alphabet
      .map((last) => spelling.slice(0, -1) + last)
      .filter((text) => Buffer.from(text, 'base64url').equals(bytes));
    expect(siblings).toHaveLength(16);
    expect(siblings.filter((text) => tokenSyntax(`eyJh.eyJp.${text}`) === 'jwt')).toEqual([spelling]);
  });

  it('recognizes the text of a bearer token with a permitted length and at most one dot as an identifier-based token (RFC 6750 section 2.1)', () => {
    const identifiers = [
      'a'.repeat(22),
      'a'.repeat(43),
      '0'.repeat(1024),
      `${'Z'.repeat(50)}-_~+/`,
      `${'a'.repeat(22)}==`,
      '2f1c9a54-7d43-4a0b-9b53-0f6a0f0a1b2c',
      `ory_at_${'a'.repeat(43)}.${'b'.repeat(43)}`,
    ];
    for (const text of identifiers) expect(tokenSyntax(text), text).toBe('identifier');
  });

  it('recognizes no other text as a token', () => {
    const impossible = [
      '',
      ' ',
      'a'.repeat(21),
      'a'.repeat(1025),
      `${'a'.repeat(50)} `,
      ` ${'a'.repeat(50)}`,
      `${'a'.repeat(50)}\n`,
      `=${'a'.repeat(50)}`,
      `${'a'.repeat(50)}=a`,
      '='.repeat(50),
      `.${'a'.repeat(50)}`,
      `${'a'.repeat(50)}.`,
      `${'a'.repeat(25)}..${'a'.repeat(25)}`,
      `${'a'.repeat(25)}.${'a'.repeat(25)}.${'a'.repeat(25)}`,
      `${'a'.repeat(50)}"`,
      `${'a'.repeat(50)}é`,
      'eyJh.eyJp',
      'eyJh.eyJp.',
      'eyJh..c2ln',
      '.eyJp.c2ln',
      'eyJh.eyJp.c2ln.c2ln.c2ln',
      'eyJh.eyJp.c2ln\n',
      'eyJh.eyJp.c2ln ',
      'eyJh.eyJp.c2lnZw==',
      'eyJh.eyJp.c2ln+',
      'eyJh.eyJp.c',
      `eyJh.${'eyJp'.repeat(3000)}.c2ln`,
    ];
    for (const text of impossible) expect(tokenSyntax(text), JSON.stringify(text)).toBe('impossible');
  });

  it('handles invalid texts of several megabytes', () => {
    expect(tokenSyntax(`${'a'.repeat(5_000_000)}.${'a'.repeat(5_000_000)}.!`)).toBe('impossible');
    expect(tokenSyntax(`${'a'.repeat(8000)}.${'a'.repeat(100)}.!`)).toBe('impossible');
  });
});
