import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBearer } from './bearer.js';

it('reads a token in any case of the scheme', () => {
  for (const header of ['Bearer abc', 'bearer abc', 'BEARER abc', 'Bearer   abc']) {
    expect(parseBearer(header)).toEqual({ kind: 'bearer', token: 'abc' });
  }
  expect(parseBearer('Bearer a-._~+/9==')).toEqual({ kind: 'bearer', token: 'a-._~+/9==' });
});

it('reads no token from a missing header or another scheme', () => {
  for (const header of [undefined, '', 'Basic abc', 'Bearerabc', 'Bear er', 'DPoP abc', 'Bearer,abc', '\0']) {
    expect(parseBearer(header)).toEqual({ kind: 'none' });
  }
});

it('refuses values that are not tokens (RFC 6750 section 2.1)', () => {
  const tokens = [
    '',
    ' ',
    '=',
    '==abc',
    'a=b',
    'a b',
    'a,b',
    'é',
    'a\0',
    '"abc"',
    'a\tb',
    '%zz',
    'a:b',
    ' a ',
    'a\u2028',
  ];
  expect(parseBearer('Bearer')).toEqual({ kind: 'malformed' });
  for (const token of [...tokens, 'a'.repeat(8193)]) {
    expect(parseBearer(`Bearer ${token}`)).toEqual({ kind: 'malformed' });
  }
});

it('never throws and never returns a token outside the grammar, for 2,000 random headers', () => {
  const header = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.tuple(fc.constantFrom('Bearer', 'bearer', 'Basic'), fc.string()).map((parts) => parts.join(' ')),
    fc
      .array(fc.constantFrom('Bearer', ' ', '=', 'a', '.', '\t', ','), { maxLength: 12 })
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(header, (text) => {
      const bearer = parseBearer(text);
      if (bearer.kind === 'bearer') {
        expect(bearer.token).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
        expect(text.toLowerCase().startsWith('bearer ')).toBe(true);
        expect(text.endsWith(` ${bearer.token}`)).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

// A parser with superlinear run time would exceed the test timeout.
it('handles input of several megabytes', () => {
  for (const part of [' ', 'a', '=', 'Bearer ', 'a='])
    expect(parseBearer(`Bearer ${part.repeat(4_000_000)}`).kind).toBeDefined();
});
