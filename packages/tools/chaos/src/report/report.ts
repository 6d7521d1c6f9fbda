import { markdownTable, type Row } from './markdown-table.js';
import type { ReportedTrial, ReportTable } from './report-table.js';
import { RESULTS_TABLE } from './results-table.js';
import { STALENESS_TABLE } from './staleness-table.js';

/** The tables of the report. */
export const TABLES: readonly ReportTable[] = [RESULTS_TABLE, STALENESS_TABLE];

/** One table of the trials that have values for it. */
export function reportText(table: ReportTable, reported: readonly ReportedTrial[]): string {
  return markdownTable(
    headsOf(table),
    reported.flatMap((each) => rowsOf(table, each)),
  );
}

/**
 * Writes the rows of each table between its marks in a document, in the order of the trials. Rows of trials that were
 * not run stay; those of removed trials are dropped.
 * @throws Error when the document lacks the marks of a table
 */
export function insertReport(
  document: string,
  reported: readonly ReportedTrial[],
  ids: readonly string[],
): string {
  return TABLES.reduce((text, table) => insertTable(text, table, reported, ids), document);
}

function insertTable(
  document: string,
  table: ReportTable,
  reported: readonly ReportedTrial[],
  ids: readonly string[],
): string {
  const [mark, endMark] = [`<!-- ${table.name}:begin -->`, `<!-- ${table.name}:end -->`];
  const [begin, end] = [document.indexOf(mark), document.indexOf(endMark)];
  if (begin === -1 || end < begin) throw new Error('the document has no marks for the report');
  const lines = new Map<string, string>();
  for (const line of document.slice(begin, end).split('\n')) {
    const id = /^\| `([^`]+)`/.exec(line)?.[1];
    if (id !== undefined) lines.set(id, line);
  }
  for (const each of reported) {
    const [line] = reportText(table, [each]).split('\n').slice(2);
    if (line === undefined) lines.delete(each.trial.id);
    else lines.set(each.trial.id, line);
  }
  const body = ids.flatMap((id) => lines.get(id) ?? []);
  const text = [...reportText(table, []).split('\n'), ...body].join('\n');
  return `${document.slice(0, begin)}${mark}\n\n${text}\n\n${document.slice(end)}`;
}

function headsOf({ heads }: ReportTable): Row {
  return ['trial', ...heads];
}

function rowsOf(table: ReportTable, reported: ReportedTrial): readonly Row[] {
  const cells = table.cellsOf(reported);
  return cells === undefined ? [] : [[`\`${reported.trial.id}\``, ...cells]];
}
