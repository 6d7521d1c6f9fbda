import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJson } from '../testing/exact-json.js';
import { parseJson } from './parse-json.js';
import { parseJsonMembers } from './parse-json-members.js';

const limits = { maxDepth: 4, maxMembers: 20 };
const read = (text: string, ...names: readonly string[]) =>
  parseJsonMembers(text, { isRead: (name) => names.includes(name), limits });

describe('parseJsonMembers', () => {
  it('parses the selected members of any object as parseJson parses them', () => {
    const texts = fc.constantFrom('a', 'b', '', '"', '\\', ':', ',', '{', '}', '[]', 'é', '😀', '\\u0061');
    const values = exactJson({ maxDepth: 3, stringUnit: fc.constantFrom(...'ab:,"\\{}[] \n', 'é', '😀') });
    fc.assert(
      fc.property(fc.dictionary(texts, values), texts, fc.nat({ max: 2 }), (object, name, indent) => {
        const text = JSON.stringify(object, null, indent);
        const ample = { maxDepth: 100, maxMembers: 10_000 };
        const expected = Object.entries(parseJson(text, ample) as object);
        expect(parseJsonMembers(text, { isRead: () => true, limits: ample })).toEqual(
          Object.fromEntries(expected),
        );
        expect(parseJsonMembers(text, { isRead: (each) => each === name, limits: ample })).toEqual(
          Object.fromEntries(expected.filter(([each]) => each === name)),
        );
      }),
    );
  });

  it('leaves out other members whatever they contain and whatever their names are', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    for (const other of [
      deep,
      JSON.stringify('x'.repeat(50_000)),
      JSON.stringify(Array(10_000).fill(0)),
      '9007199254740993',
      '1e999',
      '"\\u0000\\ud800"',
      '{"a":1,"a":2,"__proto__":{}}',
      '[{"known":1}]',
    ])
      for (const name of ['other', '__proto__', 'constructor', '\\u0000', 'a":{'].map((each) =>
        JSON.stringify(each),
      ))
        expect(read(`{${name}:${other},"known":{"b":[1]},${name}:${other}}`, 'known')).toEqual({
          known: { b: [1] },
        });
  });

  it('refuses an error in a selected member, and names the member', () => {
    for (const [value, problem] of [
      ['[[[[[1]]]]]', 'nested too deeply'],
      ['9007199254740993', 'beyond 2^53'],
      ['{"a":1,"a":2}', 'repeats a member name'],
      ['"\\u0000"', 'a control character'],
      ['{"__proto__":1}', 'reserved member name'],
    ])
      expect(() => read(`{"x":[],"known":${value}}`, 'known'), value).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(`^known: .*${problem?.replace('^', '\\^')}`),
        }),
      );
    expect(() => read('{"known":1,"\\u006bnown":2}', 'known')).toThrow('known: The JSON text repeats');
  });

  it('refuses invalid JSON wherever the error is, and returns values other than objects unchanged', () => {
    for (const text of ['', '{', '{"other":}', '{"other":01,"known":1}', '{"known":1}x', '{"known":1,}'])
      expect(() => read(text, 'known'), text).toThrow('The text is not valid JSON');
    expect(['[]', 'null', '"known"', '1', '[{"known":1}]'].map((text) => read(text, 'known'))).toEqual([
      [],
      null,
      'known',
      1,
      [{ known: 1 }],
    ]);
  });
});
