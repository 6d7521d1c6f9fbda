import { expect, it } from 'vitest';
import { isCleanText } from './clean-text.js';

it('refuses control characters and lone surrogates anywhere', () => {
  for (const bad of ['\0', '\x01', '\t', '\n', '\r', '\x1f', '\x7f', '\x85', '\ud83d', '\ude00']) {
    for (const text of [bad, `${bad}a`, `a${bad}`, `a${bad}b`]) expect(isCleanText(text)).toBe(false);
  }
});

it('accepts any other text', () => {
  for (const text of ['', 'a b', 'é', '日本語', '😀', '\ufffd', '\u2028', '<>&"']) {
    expect(isCleanText(text)).toBe(true);
  }
});
