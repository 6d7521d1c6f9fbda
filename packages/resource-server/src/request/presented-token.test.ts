import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presentedToken } from './presented-token.js';

const presented = (authorization: string | readonly string[] | undefined) =>
  presentedToken({ header: (name) => (name === 'authorization' ? authorization : undefined) });

const tokenCharacter = fc.constantFrom(
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/',
);
const token = fc
  .tuple(fc.string({ unit: tokenCharacter, minLength: 1, maxLength: 200 }), fc.constantFrom('', '=', '=='))
  .map((parts) => parts.join(''));

describe('presentedToken (RFC 6750 section 2.1, RFC 9449 section 7.1)', () => {
  it('reads every token, with the scheme in any case and any number of spaces', () => {
    const scheme = fc.constantFrom('Bearer', 'bearer', 'BEARER', 'DPoP', 'dpop', 'DPOP');
    fc.assert(
      fc.property(scheme, fc.integer({ min: 1, max: 5 }), token, (name, spaces, text) => {
        expect(presented(name + ' '.repeat(spaces) + text)).toEqual({
          kind: 'token',
          scheme: name.toLowerCase() === 'bearer' ? 'Bearer' : 'DPoP',
          token: text,
        });
      }),
    );
  });

  it('reads no token that has another character, and throws nothing', () => {
    const character = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(token, character, token, (before, odd, after) => {
        fc.pre(!/^[\w.~+/=-]*$/.test(odd));
        expect(presented(`Bearer ${before}${odd}${after}`).kind).toBe('malformed');
      }),
    );
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', 'Basic cnMxOnNlY3JldA=='],
    ['a scheme that starts alike', `Bearerx ${'a'.repeat(20)}`],
    ['a token without a scheme', 'u7KcX1bWf0Qm4vT8yLx2q4uPexR2mC5sYw7aHd1fGj'],
    ['an empty list', []],
  ])('finds no token in %s', (_what, header) => {
    expect(presented(header)).toEqual({ kind: 'none' });
  });

  it.each([
    ['nothing after the scheme', 'Bearer'],
    ['only spaces after the scheme', 'DPoP   '],
    ['two tokens', 'Bearer one two'],
    ['joined headers', 'Bearer one, Bearer two'],
    ['quotes', 'Bearer "one"'],
    ['a tab', 'Bearer\tone'],
    ['padding inside', 'Bearer a=b'],
    ['8,193 characters', `Bearer ${'a'.repeat(8_186)}`],
    ['a token that no form can hold', `Bearer ${'/'.repeat(6_000)}`],
  ])('refuses %s', (_what, header) => {
    expect(presented(header).kind).toBe(header.startsWith('Bearer\t') ? 'none' : 'malformed');
  });

  it('refuses several headers, also equal ones', () => {
    expect(presented(['Bearer one', 'Bearer one'])).toEqual({ kind: 'ambiguous' });
    expect(presented(['Bearer one'])).toEqual({ kind: 'token', scheme: 'Bearer', token: 'one' });
  });

  it('takes the longest token that a form can hold', () => {
    expect(presented(`Bearer ${'a'.repeat(8_185)}`).kind).toBe('token');
    expect(presented(`Bearer ${'/'.repeat(5_333)}`).kind).toBe('token');
  });
});
