import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactJson } from '../testing/exact-json.js';
import { JsonError, parseJson } from './parse-json.js';

const LIMITS = { maxDepth: 16, maxMembers: 500, maxElements: 100, maxTextBytes: 16_384 };

function problem(text: string): string | undefined {
  try {
    parseJson(text, LIMITS);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error.message;
    throw error;
  }
}

const REPEATED = 'The JSON text repeats a member name';
const UNRELIABLE = 'The JSON text has a member name that is not read reliably';

/** Whether this engine distinguishes a name written with an escape from the backslash that it parsed before. */
function engineIsSound(): boolean {
  JSON.parse('{"only in this test":1,"\\\\":1}');
  const [, second] = Object.keys(JSON.parse('{"only in this test":1,"\\u0061":1}'));
  return second === 'a';
}
const isEngineSound = engineIsSound();

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const members = (count: number, name: (index: number) => string = (index) => `m${index}`) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1])));

/** A JSON tree whose objects may repeat a name, so that the expected result is known without a parser. */
type Tree =
  | { readonly literal: string }
  | { readonly items: Tree[] }
  | { readonly members: [string, Tree][] };

const name = fc.constantFrom('a', 'b', 'c', 'é', '"', '\\', 'constructor');
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'tree' },
    fc.constantFrom('1', '-0.5e2', 'null', 'true', '"x"', '"{[,:"', '"\\""').map((literal) => ({ literal })),
    fc.array(tie('tree'), { maxLength: 4, depthIdentifier: 'tree' }).map((items) => ({ items })),
    fc
      .array(fc.tuple(name, tie('tree')), { maxLength: 4, depthIdentifier: 'tree' })
      .map((pairs) => ({ members: pairs })),
  ),
}));

const escapeAll = (text: string) =>
  `"${[...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

function write(node: Tree, gap: string, isEscaped: boolean): string {
  if ('literal' in node) return node.literal;
  if ('items' in node)
    return `[${gap}${node.items.map((item) => write(item, gap, isEscaped)).join(`${gap},`)}]`;
  const pairs = node.members.map(([key, value], index) => {
    const literal = isEscaped && index % 2 === 0 ? escapeAll(key) : JSON.stringify(key);
    return `${literal}${gap}:${gap}${write(value, gap, isEscaped)}`;
  });
  return `{${pairs.join(`,${gap}`)}${gap}}`;
}

function repeats(node: Tree): boolean {
  if ('literal' in node) return false;
  if ('items' in node) return node.items.some(repeats);
  const names = node.members.map(([key]) => key);
  return new Set(names).size < names.length || node.members.some(([, value]) => repeats(value));
}

describe('parseJson with hostile texts', () => {
  it('refuses exactly the texts that repeat a member name, however it is written', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\n\t'), fc.boolean(), (node, gap, isEscaped) => {
        const text = write(node, gap, isEscaped);
        expect(() => JSON.parse(text)).not.toThrow();
        // On an engine that confuses names, texts are refused for that reason instead.
        const found = problem(text);
        if (repeats(node)) expect([REPEATED, UNRELIABLE]).toContain(found);
        else if (isEngineSound || !text.includes('\\')) expect(found).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('never confuses two names, whatever objects the engine parsed before', () => {
    const named = fc.array(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(named, fc.boolean(), (names, isEscaped) => {
        const members = names.map((each): [string, Tree] => [each, { literal: '1' }]);
        const text = write({ members }, '', isEscaped);
        const found = problem(text);
        if (found === undefined) expect(Object.keys(Object(parseJson(text, LIMITS)))).toEqual(names);
        else expect([REPEATED, UNRELIABLE]).toContain(found);
        if (isEngineSound) expect(found === undefined).toBe(new Set(names).size === names.length);
      }),
      { numRuns: 5000 },
    );
  });

  it('accepts every ordinary value', () => {
    const values = exactJson({ maxDepth: 6, noUnicodeString: false });
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u|__proto__|\\[bf]|[\p{Cc}\p{Cs}]/u.test(text));
        expect(problem(text)).toBeUndefined();
      }),
    );
  });

  it('throws no other error, whatever the text is', () => {
    const soup = fc.array(fc.constantFrom(...'{}[]",:\\u0123eE+-. tfn'), { maxLength: 60 });
    fc.assert(
      fc.property(soup, (chars) => void problem(chars.join(''))),
      { numRuns: 5000 },
    );
  });

  it('keeps its guarantees for everything that JSON.parse accepts', () => {
    const soup = fc.array(fc.constantFrom('{', '}', '[', ']', '"a"', '"b"', ':', ',', '1', 'true', ' '), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('');
        fc.pre(isJson(text) && problem(text) === undefined);
        // If every name is unique, serializing the value returns the text.
        expect(JSON.stringify(JSON.parse(text))).toBe(text.replaceAll(' ', ''));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ['depth 17', nested(17)],
    ['depth 5,000', nested(5000)],
    ['depth 200,000', nested(200_000)],
    ['depth 200,000 of objects', '{"a":'.repeat(200_000)],
    ['501 members', members(501)],
    ['100,000 members', members(100_000)],
    ['100,000 members with integer names', members(100_000, (index) => String(index * 65_536))],
    ['an array of 101', JSON.stringify(Array(101).fill(1))],
    ['an array of 100,000', JSON.stringify(Array(100_000).fill(1))],
    ['a long string', JSON.stringify('é'.repeat(8193))],
    ['a long name', JSON.stringify({ ['n'.repeat(16_385)]: 1 })],
    ['a number that is read as another one', '[9007199254740993]'],
    ['a number beyond all bounds', '[1e400]'],
    ['a number beyond all bounds, negative', '{"a":-1E+999}'],
    ['a NUL in a value', '["a\\u0000b"]'],
    ['a NUL in a name', '{"a\\u0000":1}'],
    ['an escape character in a value', '["a\\u001bb"]'],
    ['a lone high surrogate', '["\\ud83d"]'],
    ['a lone low surrogate', '["\\ude00a"]'],
    ['reversed surrogates in a name', '{"\\ude00\\ud83d":1}'],
    ['__proto__', '{"__proto__":{"polluted":true}}'],
    ['__proto__ with escapes', '{"\\u005f_proto\\u005f_":{"polluted":true}}'],
    ['__proto__ far inside', '{"a":[{"b":{"__proto__":null}}]}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"polluted":true}}}'],
    ['constructor.prototype after another member', '{"constructor":{"a":[],"prototype":{}}}'],
    ['constructor.prototype with escapes', '{"constr\\u0075ctor":{"\\u0070rototype":1}}'],
    ['a closing bracket too many', '[]]'],
    ['a comma outside', ',{}'],
    ['a string without end', '{"a'],
  ])('refuses %s', (_what, text) => {
    expect(problem(text)).toMatch(/^[A-Z][A-Za-z0-9^ ]+$/);
  });

  it.each([
    ['depth 16', nested(16)],
    ['500 members', members(500)],
    ['an array of 100', JSON.stringify(Array(100).fill(1))],
    ['a string of 16,384 bytes', JSON.stringify('é'.repeat(8192))],
    ['a member named constructor', '{"constructor":"acme"}'],
    ['a member named prototype', '{"prototype":1}'],
    ['prototype beside constructor', '{"constructor":1,"a":{"prototype":1}}'],
    ['prototype within a list within constructor', '{"constructor":[{"prototype":1}]}'],
    ['the same name in two objects', '[{"a":1},{"a":{"a":1}}]'],
    ['an emoji by escapes', '["\\ud83d\\ude00"]'],
    ['quotes and backslashes', '{"\\"":"\\\\","\\\\":"\\""}'],
    ['numbers of all kinds', '[0,-1,1.5e3,1E-400]'],
    ['structure inside strings', '{"a":"{[,:\\"}"}'],
  ])('accepts %s', (_what, text) => {
    expect(problem(text)).toBeUndefined();
    expect(() => JSON.parse(text)).not.toThrow();
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
