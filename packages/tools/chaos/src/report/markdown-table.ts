/** The cells of one line. */
export type Row = readonly string[];

/** A table in Markdown; rows that are too short are filled up. */
export function markdownTable(heads: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${heads.map((_, index) => escapeCell(cells[index] ?? '')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '&#124;').replaceAll('\n', ' ');
}
