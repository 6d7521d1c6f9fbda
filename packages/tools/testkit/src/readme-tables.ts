/** The cells of a Markdown table, without the padding that formatting adds. */
export function tableCells(table: string): string[][] {
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| -') && !line.startsWith('|-'));
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

/** The cells of the table in a README between the comments `<!-- name -->` and `<!-- /name -->`. */
export function readmeTable(readme: string, name: string): string[][] {
  return tableCells(new RegExp(`<!-- ${name} -->([^]*)<!-- /${name} -->`).exec(readme)?.[1] ?? '');
}
