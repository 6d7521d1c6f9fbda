import fc from 'fast-check';
import { expect, it } from 'vitest';
import { constantTimeEquals } from './constant-time-equals.js';

it('agrees with a byte-by-byte comparison for byte strings of any lengths', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (a, b) => {
      expect(constantTimeEquals(a, b)).toBe(Buffer.compare(a, b) === 0);
      expect(constantTimeEquals(a, Uint8Array.from(a))).toBe(true);
    }),
  );
});

it('returns false, and does not throw, if one is a prefix of the other', () => {
  expect(constantTimeEquals(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3))).toBe(false);
  expect(constantTimeEquals(new Uint8Array(), Uint8Array.of(0))).toBe(false);
});
