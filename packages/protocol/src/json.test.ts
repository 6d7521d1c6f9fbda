import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameJson } from './json.js';

it('is the same whatever the order of members, and never otherwise', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isSameJson(one, structuredClone(one))).toBe(true);
      expect(isSameJson({ a: one, b: other }, { b: other, a: one })).toBe(true);
      const isEqual = JSON.stringify(one) === JSON.stringify(other);
      if (isSameJson(one, other) !== isEqual) expect(one).toEqual(other);
    }),
  );
  for (const [one, other] of [
    [[], {}],
    [{ a: undefined }, {}],
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { b: 1 }],
    [null, {}],
    [{ __proto__: null, toString: 1 }, {}],
  ])
    expect(isSameJson(one, other), JSON.stringify([one, other])).toBe(false);
});
