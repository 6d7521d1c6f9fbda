import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from './merge-patch.js';

/** Original, patch and result, as listed in RFC 7396 appendix A. */
const APPENDIX_A: readonly (readonly [string, string, string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

/** The example of RFC 7396 section 3. */
const SECTION_3 = [
  {
    title: 'Goodbye!',
    author: { givenName: 'John', familyName: 'Doe' },
    tags: ['example', 'sample'],
    content: 'This will be unchanged',
  },
  { title: 'Hello!', phoneNumber: '+01-123-456-7890', author: { familyName: null }, tags: ['example'] },
  {
    title: 'Hello!',
    author: { givenName: 'John' },
    tags: ['example'],
    content: 'This will be unchanged',
    phoneNumber: '+01-123-456-7890',
  },
] as const;

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as JsonValue);
const object = fc
  .dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), json)
  .map((each) => each as JsonObject);

/** The result of a patch of nothing: no object in it has a member that is `null`. */
function withoutNulls(patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const kept = Object.entries(patch).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNulls(value)]));
}

describe('a merge patch', () => {
  it.each(APPENDIX_A)('of %s by %s is %s (RFC 7396 appendix A)', (original, patch, result) => {
    expect(mergePatch(JSON.parse(original), JSON.parse(patch))).toEqual(JSON.parse(result));
  });

  it('has the result of the example of RFC 7396 section 3', () => {
    const [original, patch, result] = SECTION_3;
    expect(mergePatch(original, patch)).toEqual(result);
  });

  it('is idempotent, and leaves both values unchanged', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = structuredClone([target, patch]);
        const merged = mergePatch(target, patch);
        expect(isSameJson(mergePatch(merged, patch), merged)).toBe(true);
        expect([target, patch]).toEqual(before);
      }),
    );
  });

  it('sets each member as the patch says, and leaves the others unchanged', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const merged = mergePatch(target, patch);
        for (const name of new Set([...Object.keys(target), ...Object.keys(patch)])) {
          const [before, change] = [own(target, name), own(patch, name)];
          const expected =
            change === undefined ? before : change === null ? undefined : mergePatch(before, change);
          expect(isSameJson(own(merged, name), expected), name).toBe(true);
        }
        expect(isSameJson(mergePatch(undefined, patch), withoutNulls(patch))).toBe(true);
      }),
    );
  });

  it('treats a member name that reaches prototypes like any other', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    const merged = mergePatch({ a: {} }, { a: hostile });
    expect(JSON.stringify(merged)).toBe(JSON.stringify({ a: hostile }));
    expect(merged['a']).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

function own(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
