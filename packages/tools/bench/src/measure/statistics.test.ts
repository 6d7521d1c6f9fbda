import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentile, quotients, spreadOf } from './statistics.js';

const values = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });

it('takes the middle value, or the mean of the two middle values', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spreadOf([4, 1, 2, 3]).median).toBe(2.5);
  expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
});

it('sorts numerically, not as text', () => {
  expect(spreadOf([10, 9, 100])).toEqual({ median: 10, min: 9, max: 100 });
});

it('keeps every percentile between the least and the greatest value, growing with the share', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (some, share) => {
      const sorted = some.toSorted((a, b) => a - b);
      const { min, max } = spreadOf(some);
      const value = percentile(sorted, share);
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(max);
      expect(percentile(sorted, share / 2)).toBeLessThanOrEqual(value);
    }),
  );
});

it('rejects an empty list', () => {
  expect(() => spreadOf([])).toThrow(RangeError);
  expect(() => percentile([], 0.99)).toThrow(RangeError);
});

it('divides round by round and leaves out rounds that only one side has', () => {
  expect(quotients([1, 6, 5], [2, 3])).toEqual([0.5, 2]);
  expect(quotients([1, 6], [0, 3])).toEqual([2]);
  expect(quotients([], [1])).toEqual([]);
});
