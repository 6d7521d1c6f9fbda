import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MALFORMED_QUERY, parseQuery, parseUrlEncoded } from './url-encoded.js';

const parse = (text: string) => parseUrlEncoded(text, 20);

describe('parseUrlEncoded', () => {
  it('parses every value that the platform serializes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(text, text), { maxLength: 20, selector: ([name]) => name }),
        (pairs) => {
          const encoded = new URLSearchParams(pairs).toString();
          expect(Object.entries(parse(encoded) ?? {})).toEqual(Object.entries(Object.fromEntries(pairs)));
        },
      ),
    );
  });

  it('agrees with the platform for every text that it accepts', () => {
    const soup = fc.array(fc.constantFrom('a', 'b', '=', '&', '+', '%', '%41', '%c3%a9', '%c3', '%zz', ' '), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(soup, (parts) => {
        const encoded = parts.join('');
        const fields = parse(encoded);
        fc.pre(fields !== undefined);
        expect(Object.entries(fields ?? {}).sort()).toEqual([...new URLSearchParams(encoded)].sort());
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    'token=a&token=a',
    'token=a&token=b',
    'token=a&%74oken=b',
    'a&a',
    '=1&=2',
    'token=%zz',
    'token=%',
    'token=%c3',
    'token=%ed%a0%80',
    'token=%ff',
    '%zz=1',
    'token=a%00b',
    'to%00ken=a',
    'token=a\0',
    Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&'),
  ])('refuses %j', (text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('keeps brackets, reserved names and line breaks as plain text', () => {
    const fields = parse('token[not]=&__proto__=x&constructor=y&a=b%0a&token=%2500');
    expect(Object.entries(fields ?? {})).toEqual([
      ['token[not]', ''],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['a', 'b\n'],
      ['token', '%00'],
    ]);
    expect('toString' in (fields ?? {})).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  // A parser with superlinear run time would exceed the test timeout.
  it('handles input of several megabytes', () => {
    for (const part of ['%', '%zz', '&a&', 'a=&a='])
      expect(parse(part.repeat(1_000_000)), part).toBeUndefined();
    for (const part of ['%41', '&', '=', '+'])
      expect(Object.keys(parse(part.repeat(1_000_000)) ?? {}).length, part).toBeLessThanOrEqual(1);
  });
});

describe('parseQuery', () => {
  it('parses a valid query and marks an ambiguous one', () => {
    expect(parseQuery('')).toEqual({});
    expect({ ...parseQuery('limit=10&cursor=a%20b') }).toEqual({ limit: '10', cursor: 'a b' });
    for (const text of ['a=1&a=2', 'a=%zz', 'a=%00']) expect(parseQuery(text)).toBe(MALFORMED_QUERY);
  });
});
