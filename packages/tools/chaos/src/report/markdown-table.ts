/** The cells of one row. */
export type Row = readonly string[];

/** A Markdown table; short rows are padded. */
export function markdownTable(heads: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${heads.map((_, index) => escapeCell(cells[index] ?? '')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '&#124;').replaceAll('\n', ' ');
}
