import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasRepeatedHeader } from './repeated-header.js';

const names = [
  'Host',
  'HOST',
  'Date',
  'from',
  'Authorization',
  'authorization',
  'Cache-Control',
  'Content-Type',
  'x',
];

it('finds exactly the repetitions of headers that may occur only once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names), { maxLength: 6 }), (list) => {
      const raw = list.flatMap((name) => [name, 'Host']);
      const count = (wanted: string) => list.filter((name) => name.toLowerCase() === wanted).length;
      const expected = ['host', 'authorization', 'content-type'].some((wanted) => count(wanted) > 1);
      expect(hasRepeatedHeader(raw)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
  expect(hasRepeatedHeader(['x'.repeat(36), '', 'y'.repeat(36), '', 'Host', ''])).toBe(false);
});
