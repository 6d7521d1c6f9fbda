import { isSameJson, type JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains, intersection, isSubset, union } from './value-sets.js';

const scalar = fc.constantFrom<JsonValue>(
  'a',
  '1',
  1,
  -0,
  0,
  1e21,
  true,
  'true',
  null,
  'null',
  '',
  '{}',
  '[]',
);
const member = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b', '1', 'toJSON'), scalar, { maxKeys: 3 }),
);
const list = fc.array(member, { maxLength: 6 });

const LENGTH = 200;

/** A list of different objects, and the number of reads of its items. */
function watchedList() {
  const looks = { count: 0 };
  const items = Array.from({ length: LENGTH }, (_, index) => ({
    get name() {
      looks.count += 1;
      return index;
    },
  }));
  return { items, looks };
}

describe('lists of values', () => {
  it('are compared as isSameJson compares values', () => {
    fc.assert(
      fc.property(list, list, (one, other) => {
        const isIn = (values: readonly JsonValue[], value: JsonValue) =>
          values.some((each) => isSameJson(each, value));
        expect(isSubset(one, other)).toBe(one.every((value) => isIn(other, value)));
        expect(intersection(one, other)).toEqual(one.filter((value) => isIn(other, value)));
        const all = union(one, other);
        expect([...one, ...other].every((value) => contains(all, value))).toBe(true);
        expect(all.every((value, index) => !isIn(all.slice(0, index), value))).toBe(true);
      }),
    );
  });

  it('ignore the order of members, and nothing else', () => {
    expect(isSubset([{ a: 1, b: [1, 2] }], [{ b: [1, 2], a: 1 }])).toBe(true);
    expect(isSubset([{ a: 1, b: [1, 2] }], [{ b: [2, 1], a: 1 }])).toBe(false);
    expect(isSubset('a', ['a'])).toBe(false);
    expect(isSubset(['a'], 'a')).toBe(false);
  });

  it('are not compared pairwise, whatever their order', () => {
    for (const operation of [isSubset, union, intersection]) {
      const { items, looks } = watchedList();
      operation(items, items.toReversed());
      expect(looks.count).toBeLessThanOrEqual(4 * LENGTH);
    }
  });
});
