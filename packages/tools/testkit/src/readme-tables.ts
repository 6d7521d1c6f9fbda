/** The rows of a Markdown table as lines, without the padding that formatting adds. */
export function tableRows(table: string): readonly string[] {
  return table
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| -') && !line.startsWith('|-'))
    .map((line) => line.replace(/ *\| */g, ' | ').trim());
}

/** The rows of the table in a README between the comments `<!-- name -->` and `<!-- /name -->`. */
export function readmeTable(readme: string, name: string): readonly string[] {
  return tableRows(new RegExp(`<!-- ${name} -->([^]*)<!-- /${name} -->`).exec(readme)?.[1] ?? '');
}
