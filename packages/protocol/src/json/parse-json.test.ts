import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJson } from '../testing/exact-json.js';
import { JsonError, parseJson } from './parse-json.js';

const limits = { maxDepth: 8, maxMembers: 50 };

describe('parseJson', () => {
  it('parses what JSON.parse parses', () => {
    fc.assert(
      fc.property(
        exactJson({ maxDepth: 5, stringUnit: fc.constantFrom(...'ab:,"\\{}[] \n', 'é', '😀') }),
        fc.nat({ max: 3 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          expect(parseJson(text, { maxDepth: 100, maxMembers: 10_000 })).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('ignores structural characters inside strings', () => {
    for (const value of [{ 'a:"{[': ':}]"\\' }, { a: '\\' }, { a: '\\":' }, ['":"', '\\\\"'], { '': ':' }])
      expect(parseJson(JSON.stringify(value), { maxDepth: 1, maxMembers: 1 })).toEqual(value);
  });

  it('refuses invalid JSON, and does not quote it', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '}',
      '{"secret',
      '{"secret":}',
      '[1,]',
      "{'a':1}",
      '{"a":1}x',
      'NaN',
      '\ufeff{}',
      '"\n"',
      '{"a"::1}',
      '"\\',
    ])
      expect(() => parseJson(text, limits), text).toThrow(new JsonError('The text is not valid JSON'));
  });

  // Two parsers, of which one uses the first value and the other the last, could be made to disagree.
  it('refuses a repeated member of an object, at any depth and in any spelling', () => {
    for (const text of ['{"a":1,"a":1}', '{"a":1,"b":{"c":1,"c":2}}', '[{"a":1,"\\u0061":2}]', '{"":1,"":2}'])
      expect(() => parseJson(text, limits), text).toThrow('repeats a member name');
    expect(parseJson('[{"a":1},{"a":{"a":2}}]', limits)).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });

  it('refuses members that reach a prototype, and accepts others with similar names', () => {
    for (const text of [
      '{"__proto__":{"x":1}}',
      '{"a":[{"\\u005f_proto__":1}]}',
      '{"constructor":{"prototype":{"x":1}}}',
    ])
      expect(() => parseJson(text, limits), text).toThrow('reserved member name');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    for (const value of [{ constructor: 'acme' }, { constructor: {} }, { prototype: 1 }, { a: '__proto__' }])
      expect(parseJson(JSON.stringify(value), limits)).toEqual(value);
  });

  it('refuses texts that are nested deeper than allowed, by arrays, objects or both', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(8), limits)).toBeDefined();
    expect(() => parseJson(nested(9), limits)).toThrow('nested too deeply');
    expect(() => parseJson(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`, limits)).toThrow('nested too deeply');
    expect(parseJson('[[],[],[[]],{}]', { maxDepth: 3, maxMembers: 0 })).toEqual([[], [], [[]], {}]);
  });

  it('refuses oversized structures before it builds them', () => {
    // None of these texts is complete, which building them first would report instead.
    expect(() => parseJson('['.repeat(1_000_000), limits)).toThrow('nested too deeply');
    expect(() => parseJson('{"a":'.repeat(200_000), limits)).toThrow('nested too deeply');
    expect(() => parseJson(`{${'"a":1,'.repeat(200_000)}`, limits)).toThrow('too many members');
  });

  it('refuses more members than allowed, wherever they are', () => {
    const objects = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ a: 1 })));
    expect(parseJson(objects(50), limits)).toHaveLength(50);
    expect(() => parseJson(objects(51), limits)).toThrow('too many members');
  });

  it('refuses control characters and lone surrogates in names and values, and accepts line breaks', () => {
    for (const bad of [
      '\\u0000',
      'a\\u0000b',
      '\\u001b',
      '\\u0085',
      '\\ud800',
      '\\udc00',
      '\\udc00\\ud800',
      '\ud83d',
    ])
      for (const text of [`"${bad}"`, `{"${bad}":1}`, `{"a":["${bad}"]}`])
        expect(() => parseJson(text, limits), text).toThrow('a broken character');
    expect(parseJson('"first\\r\\n\\tsecond"', limits)).toBe('first\r\n\tsecond');
    expect(parseJson('"\\ud83d\\ude00 \ud83d\ude00"', limits)).toBe('😀 😀');
  });

  // JSON.parse reads 9007199254740993 as 9007199254740992 without an error (RFC 7493 section 2.2).
  it('refuses numbers beyond 2^53, in any spelling and at any depth', () => {
    for (const number of [
      '9007199254740992',
      '9007199254740993',
      '-9007199254740993',
      '12345678901234567890',
      '9007199254740993.0',
      '9.007199254740993e15',
      '90071992547409930e-1',
      '1e300',
      '1e400',
      '-1e309',
    ])
      for (const text of [number, `[${number}]`, `{"a":{"b":[0,${number}]}}`])
        expect(() => parseJson(text, limits), text).toThrow('beyond 2^53 and must be written as a string');
    expect(parseJson('[9007199254740991,-9007199254740991,-0,0.1,1e-300,1.5e3]', limits)).toEqual([
      9007199254740991, -9007199254740991, -0, 0.1, 1e-300, 1500,
    ]);
    expect(parseJson('{"9007199254740993":"9007199254740993"}', limits)).toEqual({
      '9007199254740993': '9007199254740993',
    });
  });

  it('returns every accepted number as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (number) => {
        const isSafe = number < 2n ** 53n && number > -(2n ** 53n);
        if (isSafe) expect(JSON.stringify(parseJson(`[${number}]`, limits))).toBe(`[${number}]`);
        else expect(() => parseJson(`[${number}]`, limits)).toThrow('beyond 2^53');
      }),
    );
  });

  it('accepts any characters in strings if the caller checks them itself', () => {
    expect(parseJson('["\\u0000","\\ud800"]', { ...limits, acceptsAnyText: true })).toEqual([
      '\u0000',
      '\ud800',
    ]);
  });
});
