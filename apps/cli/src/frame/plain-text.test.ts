import { expect, it } from 'vitest';
import { plainJson, plainText } from './plain-text.js';
import { fieldLines, tableLines } from './table.js';

const OBEYED = [
  '\u001b[2J',
  '\u009b2J',
  '\u202egnp.exe',
  '\u2066x\u2069',
  'a\u2028b',
  '\u0000',
  '\u{e0041}x',
  '\r',
  '\u007f',
];
const COMMANDS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

it('escapes control sequences in texts, tables and fields', () => {
  for (const text of OBEYED)
    for (const line of [
      plainText(text),
      ...tableLines([{ title: 'NAME', cell: () => text }], [{}]),
      ...fieldLines({ [text]: text }),
    ])
      expect(line).not.toMatch(COMMANDS);
});

it('escapes control sequences in JSON without changing its value', () => {
  for (const text of OBEYED) {
    const value = { [text]: [text, 'Zürich 日本 \u{1f600}'] };
    const json = plainJson(value);
    expect(json).not.toMatch(COMMANDS);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toContain('Zürich 日本 \u{1f600}');
  }
});
