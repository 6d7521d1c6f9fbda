import displayWidth from 'string-width';
import { plainText } from './plain-text.js';

/** A column of a text table. */
export interface Column<Row> {
  readonly title: string;
  /** Value of a cell; `undefined` is shown as a hyphen. */
  readonly cell: (row: Row) => string | number | undefined;
  /** Whether the column may be cut if lines are too long; for free text. */
  readonly isCut?: boolean;
}

/** Lines of a part of a table. */
export interface TablePart {
  /** Title line; absent if records are printed field by field. */
  readonly heading?: string;
  readonly lines: readonly string[];
}

/** Splits a text where a terminal shows a new character. */
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Gap between columns. */
const GAP = '  ';

/** Minimum width of a column that is cut. */
const MIN_WIDTH = 8;

/** Formats a table: titles first, columns as wide as their cells, no trailing blanks. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
  const { heading = '', lines } = startTable(columns)(rows);
  return [heading, ...lines];
}

/**
 * Starts a table that is printed in parts; columns never become narrower. If lines exceed the width, columns that may
 * be cut are narrowed. If that is not enough, each record is printed field by field.
 */
export function startTable<Row>(
  columns: readonly Column<Row>[],
  width = Number.POSITIVE_INFINITY,
): (rows: readonly Row[]) => TablePart {
  const titles = columns.map(({ title }) => title);
  let wanted = titles.map((title) => displayWidth(title));
  return (rows) => {
    const cells = rows.map((row) => columns.map(({ cell }) => cellText(cell(row))));
    wanted = wanted.map((least, index) =>
      cells.reduce((widest, line) => Math.max(widest, displayWidth(line[index] ?? '')), least),
    );
    const widths = fittingWidths(columns, wanted, width);
    if (widths === undefined) return { lines: rows.flatMap((row) => [...recordLines(columns, row), '']) };
    const [heading = '', ...lines] = [titles, ...cells].map((line) => tableLine(line, widths));
    return { heading, lines };
  };
}

/** Formats names and values of one record, one per line. */
export function fieldLines(fields: Readonly<Record<string, string | number | undefined>>): readonly string[] {
  const cells = Object.entries(fields).map(([name, value]) => [plainText(name), cellText(value)] as const);
  const width = Math.max(...cells.map(([name]) => displayWidth(name)));
  return cells.map(([name, value]) => `${padded(name, width)}${GAP}${value}`);
}

/** Returns column widths that fit into the total width; `undefined` if they cannot. */
function fittingWidths<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly number[],
  width: number,
): readonly number[] | undefined {
  const widths = [...wanted];
  const whole = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
  for (let excess = whole - width; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((_, index) => columns[index]?.isCut === true));
    if (!(widest > MIN_WIDTH)) return undefined;
    const index = widths.findIndex((each, at) => each === widest && columns[at]?.isCut === true);
    widths[index] = widest - 1;
  }
  return widths;
}

function tableLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((text, index) => padded(cutToWidth(text, widths[index] ?? 0), widths[index] ?? 0))
    .join(GAP)
    .trimEnd();
}

function recordLines<Row>(columns: readonly Column<Row>[], row: Row): readonly string[] {
  const fields = columns.map(({ title, cell }) => [title, cell(row)] as const);
  return fieldLines(Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== '-')));
}

function cellText(value: string | number | undefined): string {
  return value === undefined || value === '' ? '-' : plainText(String(value));
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Cuts a text to a number of terminal cells, with an ellipsis if it is longer. */
function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let beginning = '';
  for (const { segment } of CHARACTERS.segment(text)) {
    if (displayWidth(beginning + segment) >= width) break;
    beginning += segment;
  }
  return `${beginning}…`;
}
