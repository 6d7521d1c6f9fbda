import displayWidth from 'string-width';
import { expect, it } from 'vitest';
import { type Column, startTable, tableLines } from './table.js';

interface Row {
  readonly id: string;
  readonly name?: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name, isCut: true },
  { title: 'STATE', cell: () => 'active' },
];

it('aligns columns by the display width of East Asian text, emoji and combining marks', () => {
  const names = ['日本語の店舗', 'ｱｲｳ', '한국어 店', 'Zu\u0308rich', '👍🏽 🇨🇭 ok', 'ア・イー', '（株）'];
  const lines = tableLines(
    COLUMNS,
    names.map((name) => ({ id: 'x', name })),
  );
  const before = lines.map((line) => displayWidth(line.slice(0, line.search(/STATE|active/))));
  expect(new Set(before)).toEqual(new Set([4 + displayWidth('日本語の店舗') + 2]));
  expect(names.map((name) => displayWidth(name))).toEqual([12, 3, 9, 6, 8, 8, 6]);
});

it('cuts only free text to fit lines', () => {
  const rows = [{ id: 'x'.repeat(22), name: 'とても長い名前のお店です' }, { id: 'short' }];
  const { heading, lines } = startTable(COLUMNS, 44)(rows);
  expect(heading).toBe(`ID${' '.repeat(22)}NAME${' '.repeat(10)}STATE`);
  expect(lines).toEqual([
    `${'x'.repeat(22)}  とても長い…   active`,
    `short${' '.repeat(19)}-${' '.repeat(13)}active`,
  ]);
});

it('prints records field by field if lines cannot fit', () => {
  expect(startTable(COLUMNS, 30)([{ id: 'x'.repeat(22), name: 'n' }, { id: 'y' }])).toEqual({
    lines: [`ID     ${'x'.repeat(22)}`, 'NAME   n', 'STATE  active', '', 'ID     y', 'STATE  active', ''],
  });
});

it('keeps the column widths of a part in later parts', () => {
  const part = startTable(COLUMNS);
  part([{ id: 'a-long-one', name: 'and its name' }]);
  expect(part([{ id: 'b' }]).lines).toEqual(['b           -             active']);
});
