import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonError, parseJson } from './parse-json.js';

const limits = { maxDepth: 8, maxMembers: 50 };

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, stringUnit: fc.constantFrom(...'ab:,"\\{}[] \n', 'é', '😀') }),
        fc.nat({ max: 3 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          expect(parseJson(text, { maxDepth: 100, maxMembers: 10_000 })).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('is not misled by marks inside of texts', () => {
    for (const value of [{ 'a:"{[': ':}]"\\' }, { a: '\\' }, { a: '\\":' }, ['":"', '\\\\"'], { '': ':' }])
      expect(parseJson(JSON.stringify(value), { maxDepth: 1, maxMembers: 1 })).toEqual(value);
  });

  it('refuses malformed texts, and quotes nothing of them', () => {
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

  // Two readers of one text, of whom one takes the first value and one the last, can be made to disagree.
  it('refuses a member that is given twice in one object, at any depth and in any spelling', () => {
    for (const text of ['{"a":1,"a":1}', '{"a":1,"b":{"c":1,"c":2}}', '[{"a":1,"\\u0061":2}]', '{"":1,"":2}'])
      expect(() => parseJson(text, limits), text).toThrow('repeats a member name');
    expect(parseJson('[{"a":1},{"a":{"a":2}}]', limits)).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });

  it('refuses members that reach a prototype, and no others that look like them', () => {
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

  it('refuses what is nested deeper than allowed, by arrays, objects or both', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(8), limits)).toBeDefined();
    expect(() => parseJson(nested(9), limits)).toThrow('nested too deeply');
    expect(() => parseJson(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`, limits)).toThrow('nested too deeply');
    expect(parseJson('[[],[],[[]],{}]', { maxDepth: 3, maxMembers: 0 })).toEqual([[], [], [[]], {}]);
  });

  it('refuses a bomb before it is built', () => {
    // None of these texts is finished: building them first would find that out instead.
    expect(() => parseJson('['.repeat(1_000_000), limits)).toThrow('nested too deeply');
    expect(() => parseJson('{"a":'.repeat(200_000), limits)).toThrow('nested too deeply');
    expect(() => parseJson(`{${'"a":1,'.repeat(200_000)}`, limits)).toThrow('too many members');
  });

  it('refuses more members than allowed, wherever they stand', () => {
    const objects = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ a: 1 })));
    expect(parseJson(objects(50), limits)).toHaveLength(50);
    expect(() => parseJson(objects(51), limits)).toThrow('too many members');
  });

  it('refuses control characters and halves of surrogate pairs, in names and in values, and takes line breaks', () => {
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

  it('refuses numbers that are read as infinite', () => {
    for (const text of ['1e400', '[-1e309]', '{"a":1e999}'])
      expect(() => parseJson(text, limits)).toThrow('not usable');
    expect(parseJson('[1e308,-0,0.1]', limits)).toEqual([1e308, -0, 0.1]);
  });
});
