import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseIdempotencyKey } from './idempotency-key.js';

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const key = fc.string({ unit: visible, minLength: 1, maxLength: 255 });

it('reads every key in quotes, and without quotes unless it begins with one', () => {
  fc.assert(
    fc.property(key, (text) => {
      expect(parseIdempotencyKey(`"${text.replace(/["\\]/g, '\\$&')}"`)).toBe(text);
      if (!text.startsWith('"')) expect(parseIdempotencyKey(text)).toBe(text);
    }),
  );
});

it('refuses everything else', () => {
  const others = [
    '',
    '""',
    '"',
    '"a',
    'a b',
    '"a b"',
    '"a" "b"',
    '"a", "b"',
    'a, b',
    '"a";p=1',
    '"a\\b"',
    '"a\\"',
    '"a"b',
    'é',
    '"é"',
    'a\u0000',
    'a\t',
    '\u0100',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
    '\\"'.repeat(8_000),
  ];
  for (const header of others) expect(parseIdempotencyKey(header), header).toBeUndefined();
  expect(parseIdempotencyKey(['a', 'a'])).toBeUndefined();
});

it('returns 1 to 255 visible characters or nothing, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseIdempotencyKey(text) ?? 'x').toMatch(/^[\x21-\x7e]{1,255}$/);
    }),
  );
});
