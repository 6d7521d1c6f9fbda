import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inOneOrder, isSameJson } from './json.js';

it('isSameJson ignores the order of members and nothing else', () => {
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

it('inOneOrder writes equal values equally whatever the order of members, and changes no value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [there, back] = [
        { a: [one], b: other },
        { b: other, a: [one] },
      ];
      expect(JSON.stringify(inOneOrder(there))).toBe(JSON.stringify(inOneOrder(back)));
      expect(isSameJson(inOneOrder(there), there)).toBe(true);
    }),
  );
  const value = JSON.parse('[{"b":[{"d":1,"c":[]}],"a":null,"10":0,"9":0,"__proto__":{"f":1,"e":"2"}}]');
  expect(JSON.stringify(inOneOrder(value))).toBe(
    '[{"9":0,"10":0,"__proto__":{"e":"2","f":1},"a":null,"b":[{"c":[],"d":1}]}]',
  );
});
