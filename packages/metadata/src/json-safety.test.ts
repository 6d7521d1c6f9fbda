import type { JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStorableJson, storedJsonBytes } from './json-safety.js';

const nested = (levels: number): JsonValue => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('isStorableJson', () => {
  it('counts the levels of objects and arrays', () => {
    expect([
      isStorableJson(nested(8), 8),
      isStorableJson(nested(9), 8),
      isStorableJson([[1]], 1),
      isStorableJson('x', 0),
    ]).toEqual([true, false, false, true]);
  });

  it('refuses strings and numbers that a store would refuse or change', () => {
    for (const value of [
      '\u0000',
      '\u001b',
      2 ** 53,
      -1e300,
      'a\ud800',
      '\udc00a',
      Number.POSITIVE_INFINITY,
      Number.NaN,
      { '\u0000': 1 },
      [{ '\ud800': 1 }],
    ]) {
      expect(isStorableJson(value, 8)).toBe(false);
    }
    expect(isStorableJson({ '😀': ['é', '', null, true, 9007199254740991, -0.5, 'a\n\tb'] }, 2)).toBe(true);
  });

  it('accepts only strings that UTF-8 encoding leaves unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (isStorableJson(text, 0)) expect(Buffer.from(text).toString()).toBe(text);
      }),
    );
  });
});

describe('storedJsonBytes', () => {
  it('counts a number by the digits that a store writes', () => {
    expect([storedJsonBytes('é'), storedJsonBytes({ a: [1, -0.5, 'e+300'] })]).toEqual([4, 22]);
    expect([1e300, -1e21, 5e-324, 123456].map(storedJsonBytes)).toEqual([306, 27, 330, 6]);
  });
});
