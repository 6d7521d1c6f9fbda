import { plainText } from './plain-text.js';

/** A column of a table for people. */
export interface Column<Row> {
  readonly title: string;
  /** What stands there; nothing shows as a hyphen. */
  readonly cell: (row: Row) => string | number | undefined;
}

/** The gap between two columns. */
const GAP = '  ';

/** A table as lines, the titles first; as wide as its cells, and without blanks at the ends. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => cellText(cell(row))));
  const titles = columns.map(({ title }) => title);
  const widths = titles.map((_, index) =>
    Math.max(...[titles, ...cells].map((line) => lengthOf(line[index] ?? ''))),
  );
  return [titles, ...cells].map((line) =>
    line
      .map((text, i) => padded(text, widths[i] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Names and values under one another, for one thing. */
export function fieldLines(fields: Readonly<Record<string, string | number | undefined>>): readonly string[] {
  const cells = Object.entries(fields).map(([name, value]) => [plainText(name), cellText(value)] as const);
  const width = Math.max(...cells.map(([name]) => lengthOf(name)));
  return cells.map(([name, value]) => `${padded(name, width)}${GAP}${value}`);
}

function cellText(value: string | number | undefined): string {
  return value === undefined || value === '' ? '-' : plainText(String(value));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - lengthOf(text)));
}

function lengthOf(text: string): number {
  return [...text].length;
}
