import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochSeconds, isEpochSeconds, toDate } from './epoch-seconds.js';

const LAST = 253_402_300_799;
const BAD = [-1, LAST + 1, 1e308, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53];

describe('isEpochSeconds', () => {
  it('accepts whole seconds from 1970 to 9999 (RFC 7519 section 2)', () => {
    for (const value of [0, 1, 1_800_000_000, LAST]) expect(isEpochSeconds(value)).toBe(true);
  });

  it('refuses every other value', () => {
    for (const value of [...BAD, 1.5, '1', '', null, undefined, true, [], [1], {}, 1n])
      expect(isEpochSeconds(value)).toBe(false);
  });
});

describe('epochSeconds', () => {
  it('truncates fractions', () => {
    expect(epochSeconds(1.999)).toBe(1);
    expect(epochSeconds(LAST + 0.5)).toBe(LAST);
  });

  it('throws RangeError outside 1970 to 9999', () => {
    for (const value of [...BAD, -0.5]) expect(() => epochSeconds(value), String(value)).toThrow(RangeError);
  });
});

describe('toDate', () => {
  it('returns the same instant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LAST }), (value) => {
        expect(toDate(epochSeconds(value)).getTime()).toBe(value * 1000);
      }),
    );
  });
});
