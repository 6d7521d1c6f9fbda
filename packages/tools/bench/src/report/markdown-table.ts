import type { Row } from './rows.js';

/** A Markdown table; short rows are padded. */
export function markdownTable(heads: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${heads.map((_, i) => escapeCell(cells[i] ?? '')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

/** The rows of the table with these heads in a text; none when there is no such table. */
export function parseMarkdownTable(heads: Row, text: string): readonly Row[] {
  const lines = text.split('\n');
  const start = lines.indexOf(markdownTable(heads, []).split('\n')[0] ?? '');
  if (start === -1) return [];
  const after = lines.slice(start + 2);
  const end = after.findIndex((line) => !line.startsWith('|'));
  return after.slice(0, end === -1 ? undefined : end).map(parseLine);
}

function parseLine(line: string): Row {
  return line
    .slice(2, -2)
    .split(/ \| /)
    .map((cell) => cell.replaceAll('&#124;', '|'));
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '&#124;').replaceAll('\n', ' ');
}

/** The workload of a row. */
export function workloadOf([first = '']: Row): string {
  return /^`([^`]+)`/.exec(first)?.[1] ?? '';
}

/**
 * Replaces rows by new ones, in the order of the workloads. Rows of workloads that were not run stay; those of removed
 * workloads are dropped.
 */
export function mergeRows(
  older: readonly Row[],
  newer: readonly Row[],
  ids: readonly string[],
): readonly Row[] {
  const measuredNow = new Set(newer.map(workloadOf));
  const kept = older.filter((row) => !measuredNow.has(workloadOf(row)) && ids.includes(workloadOf(row)));
  return [...kept, ...newer].toSorted((a, b) => ids.indexOf(workloadOf(a)) - ids.indexOf(workloadOf(b)));
}
