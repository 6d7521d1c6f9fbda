import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownJson } from '../../src/frame/shown-text.js';

it('writes every invisible character of a text as an escape that JSON reads back', () => {
  const text = 'abc\u202Egpj.exe\u2066\u200F\u2028\u0085\u{E0001}';
  expect(shownJson(text)).toBe(String.raw`"abc\u202egpj.exe\u2066\u200f\u2028\u0085\udb40\udc01"`);
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const shown = shownJson(value as never);
      expect(shown).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
