import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_SCOPE, formatScope, parseScope } from './scope.js';

const scopeToken = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .filter((code) => code !== 0x22 && code !== 0x5c)
    .map((code) => String.fromCharCode(code)),
  minLength: 1,
});

describe('parseScope (RFC 6749 section 3.3)', () => {
  it('parses what formatScope writes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(scopeToken), (values) => {
        const scope = parseScope(values.join(' '));
        expect(scope && [...scope]).toEqual(values);
        expect(scope && formatScope(scope)).toBe(values.join(' '));
      }),
    );
  });

  it('keeps the first of equal values, and the case of letters', () => {
    const scope = parseScope('openid read OPENID openid read');
    expect(scope && formatScope(scope)).toBe('openid read OPENID');
  });

  it('parses the empty text as the empty scope', () => {
    expect(parseScope('')).toBe(EMPTY_SCOPE);
    expect(formatScope(EMPTY_SCOPE)).toBe('');
  });

  it('refuses quotes, backslashes, control characters, non-ASCII characters, and surplus spaces', () => {
    const bad = [
      ' ',
      ' a',
      'a ',
      'a  b',
      'a\tb',
      'a\nb',
      'a\0b',
      'a"b',
      'a\\b',
      'ä',
      'a\u00a0b',
      'a\x7fb',
      '\ud800',
      'a,b c\r',
    ];
    for (const text of bad) expect(parseScope(text), JSON.stringify(text)).toBeUndefined();
  });

  it('accepts any text that splits into values, and no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab :/"\\\t é'), maxLength: 12 }), (text) => {
        const scope = parseScope(text);
        if (scope === undefined) expect(text).toMatch(/["\\\té]|^ | $| {2}/);
        else for (const value of scope) expect(value).toMatch(/^[ab:/]+$/);
      }),
    );
  });
});
