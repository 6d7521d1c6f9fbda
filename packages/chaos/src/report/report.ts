import type { Trial, TrialResult } from '../trials/trial.js';
import { markdownTable, type Row } from './markdown-table.js';

/** A trial with what was seen. */
export interface ReportedTrial {
  readonly trial: Pick<Trial, 'id' | 'title'>;
  readonly result: TrialResult;
}

/** The columns of the report. */
export const HEADS: Row = [
  'trial',
  'what fails',
  'requests',
  'failed',
  'slowest',
  'stale p50 / p99 / max',
  'S1 S2 S3 S4 S5',
  'recovered',
  'besides',
  'verdict',
];

const BEGIN = '<!-- chaos:begin -->';
const END = '<!-- chaos:end -->';

/** One line of the report. */
export function rowOf({ trial, result }: ReportedTrial): Row {
  const { staleness, violations: v, recoveryMs, problems } = result;
  const ms = (value: number) => `${Math.round(value)}`;
  return [
    `\`${trial.id}\``,
    trial.title,
    String(result.requests),
    String(result.failures),
    `${ms(result.slowestMs)} ms`,
    staleness ? `${ms(staleness.p50)} / ${ms(staleness.p99)} / ${ms(staleness.max)} ms` : '',
    [v.stale, v.resurrected, v.falselyInactive, v.claimedTwice, v.lost].join(' '),
    recoveryMs === undefined ? '' : `${ms(recoveryMs)} ms`,
    result.remarks.join('; '),
    problems.length === 0 ? 'kept' : `broken: ${problems.join('; ')}`,
  ];
}

/**
 * Puts the rows between the marks of a document, in the order of the trials. Rows of trials that were not run stay;
 * those of trials that are no more go.
 * @throws Error when the document has no marks
 */
export function insertReport(
  document: string,
  reported: readonly ReportedTrial[],
  ids: readonly string[],
): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('the document has no place for the report');
  const rows = new Map<string, string>();
  for (const line of document.slice(begin, end).split('\n')) {
    const id = /^\| `([^`]+)`/.exec(line)?.[1];
    if (id !== undefined) rows.set(id, line);
  }
  for (const each of reported)
    rows.set(each.trial.id, markdownTable(HEADS, [rowOf(each)]).split('\n')[2] ?? '');
  const body = ids.flatMap((id) => rows.get(id) ?? []);
  const table = [...markdownTable(HEADS, []).split('\n'), ...body].join('\n');
  return `${document.slice(0, begin)}${BEGIN}\n\n${table}\n\n${document.slice(end)}`;
}
