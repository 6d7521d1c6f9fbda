import { readFile, writeFile } from 'node:fs/promises';
import { spreadOf } from '../measure/statistics.js';
import type { Workload } from '../workloads/workload.js';
import { markdownTable, mergeRows, parseMarkdownTable, workloadOf } from './markdown-table.js';
import type { Results } from './results.js';
import {
  COMPARISON_HEADS,
  comparisonRows,
  FIGURE_HEADS,
  figureRows,
  type Row,
  unavailableRow,
} from './rows.js';

/** The contents of a report. */
export interface Report {
  /** The machine. */
  readonly machine: string;
  readonly comparisons: readonly Row[];
  readonly figures: readonly Row[];
  /** Notes about this run. */
  readonly notes: readonly string[];
}

/** A workload with its description. */
export type DescribedWorkload = Pick<Workload, 'id' | 'title'>;

const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';
const HEADING = '### ';
const DESCRIPTIONS = 'Workloads';

/** Creates the report of results. */
export function reportOf(workloads: readonly Workload[], results: Results, machine: string): Report {
  const rowsOf = (kind: Workload['kind']) =>
    workloads.filter((workload) => workload.kind === kind).flatMap((workload) => rows(workload, results));
  return { machine, comparisons: rowsOf('comparison'), figures: rowsOf('figures'), notes: notesOf(results) };
}

function rows(workload: Workload, { comparisons, figures, unavailable }: Results): readonly Row[] {
  const reason = unavailable[workload.id];
  if (reason !== undefined) return [unavailableRow(workload, reason)];
  return workload.kind === 'comparison'
    ? comparisonRows(workload, comparisons[workload.id] ?? {})
    : figureRows(workload, figures[workload.id] ?? []);
}

function notesOf({ comparisons }: Results): readonly string[] {
  const shares = Object.values(comparisons)
    .flatMap((runs) => Object.values(runs).flat())
    .flatMap(({ othersShare }) => (othersShare === undefined ? [] : [othersShare]));
  if (shares.length === 0) return [];
  const { median, max } = spreadOf(shares);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return [
    `Other processes took ${percent(median)} of the server's core in the median run, ${percent(max)} at most.`,
  ];
}

/** The text of a report. */
export function reportText({ machine, comparisons, figures, notes }: Report): string {
  const tables = [
    comparisons.length === 0 ? '' : markdownTable(COMPARISON_HEADS, comparisons),
    figures.length === 0 ? '' : markdownTable(FIGURE_HEADS, figures),
  ];
  return [`${HEADING}${machine}`, ...tables, ...notes].filter((part) => part !== '').join('\n\n');
}

/**
 * Writes a report between the marks of a document. Rows of workloads that were not run stay; rows from another machine
 * follow under its name, since figures of two machines are not comparable. The descriptions of the workloads come last.
 * @param workloads all workloads, in the order of the report
 * @throws Error when the document has no marks
 */
export function insertReport(
  document: string,
  report: Report,
  workloads: readonly DescribedWorkload[],
): string {
  const ids = workloads.map(({ id }) => id);
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('the document has no marks for the report');
  const earlier = parseReports(document.slice(begin + BEGIN.length, end));
  const sameMachine = earlier.filter(({ machine }) => machine === report.machine);
  const whole = {
    ...report,
    comparisons: mergeRows(
      sameMachine.flatMap(({ comparisons }) => comparisons),
      report.comparisons,
      ids,
    ),
    figures: mergeRows(
      sameMachine.flatMap(({ figures }) => figures),
      report.figures,
      ids,
    ),
    // A run without comparisons says nothing new about how much other processes disturbed them.
    notes: report.comparisons.length > 0 ? report.notes : sameMachine.flatMap(({ notes }) => notes),
  };
  const measured = new Set([...whole.comparisons, ...whole.figures].map(workloadOf));
  const stays = (row: Row) => ids.includes(workloadOf(row)) && !measured.has(workloadOf(row));
  const others = earlier
    .filter(({ machine }) => machine !== report.machine)
    .map((other) => ({
      ...other,
      comparisons: other.comparisons.filter(stays),
      figures: other.figures.filter(stays),
    }))
    .filter(({ comparisons, figures }) => comparisons.length + figures.length > 0);
  const reports = [whole, ...others];
  const text = [...reports.map(reportText), descriptionsOf(reports, workloads)].join('\n\n');
  return `${document.slice(0, begin)}${BEGIN}\n\n${text}\n\n${document.slice(end)}`;
}

/** The descriptions of the workloads that have rows. */
function descriptionsOf(reports: readonly Report[], workloads: readonly DescribedWorkload[]): string {
  const rows = reports.flatMap(({ comparisons, figures }) => [...comparisons, ...figures]);
  const described = new Set(rows.map(workloadOf));
  const lines = workloads
    .filter(({ id }) => described.has(id))
    .map(({ id, title }) => `- \`${id}\`: ${title}`);
  return [`${HEADING}${DESCRIPTIONS}`, lines.join('\n')].join('\n\n');
}

/** Parses the reports in a text, each under its machine. */
function parseReports(text: string): readonly Report[] {
  const [, ...parts] = `\n${text}`.split(`\n${HEADING}`);
  const reports = parts.filter((part) => !part.startsWith(`${DESCRIPTIONS}\n`));
  return reports.map((part) => {
    const [machine = '', ...paragraphs] = part.trim().split('\n\n');
    return {
      machine,
      comparisons: parseMarkdownTable(COMPARISON_HEADS, part),
      figures: parseMarkdownTable(FIGURE_HEADS, part),
      notes: paragraphs.filter((paragraph) => !paragraph.startsWith('|')),
    };
  });
}

/** Writes a report to a file. */
export async function writeReport(
  file: string,
  report: Report,
  workloads: readonly DescribedWorkload[],
): Promise<void> {
  await writeFile(file, insertReport(await readFile(file, 'utf8'), report, workloads));
}
