import type { Outcome, Step } from '../program/outcome.js';
import type { Program } from '../program/programs.js';

/** A program and its result. */
export interface Reported {
  readonly program: Program;
  readonly outcome: Outcome;
  /** The day of the run, as in `2026-03-01`. */
  readonly date: string;
}

const BEGIN = '<!-- works-with:begin -->';
const END = '<!-- works-with:end -->';
const HEADS = ['program', 'library', 'language', 'worked', 'did not work', 'what to set', 'run on'];

/** The row of a program. */
export function rowOf({ program: { name, manifest }, outcome, date }: Reported): string {
  const { version, steps, problem } = outcome;
  const failures = steps.filter(({ worked }) => !worked).map(failureText);
  const cells = [
    `\`${name}\``,
    [manifest.title, version].filter((text) => text !== undefined).join(' '),
    `${manifest.language} (${manifest.registry})`,
    // Steps contain commas.
    steps.flatMap(({ step, worked }) => (worked ? [step] : [])).join(' · '),
    [...failures, ...(problem === undefined ? [] : [`${outcome.kind}: ${problem}`])].join('; '),
    manifest.settings === '' ? 'nothing' : manifest.settings,
    date,
  ];
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

/**
 * Writes rows between the marks of a document, in the order of names. The rows of programs that were not run stay;
 * those of removed programs are dropped.
 * @throws Error when the document lacks the marks
 */
export function insertRows(
  document: string,
  reported: readonly Reported[],
  names: readonly string[],
): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error('the document has no place for the table');
  const rows = new Map<string, string>();
  for (const line of document.slice(begin, end).split('\n')) {
    const name = /^\| `([^`]+)`/.exec(line)?.[1];
    if (name !== undefined) rows.set(name, line);
  }
  for (const each of reported) if (each.outcome.kind !== 'not run') rows.set(each.program.name, rowOf(each));
  const body = names.flatMap((name) => rows.get(name) ?? []);
  const table = [`| ${HEADS.join(' | ')} |`, `|${'---|'.repeat(HEADS.length)}`, ...body].join('\n');
  return `${document.slice(0, begin)}${BEGIN}\n\n${table}\n\n${document.slice(end)}`;
}

/** A step as a line of the command's output. */
export function stepLine({ step, worked, note, refusal }: Step): string {
  const word = worked ? 'worked' : refusal === undefined ? 'failed' : 'refused';
  const reason = refusal ?? note;
  return `  ${word}  ${step}${reason === undefined ? '' : `: ${reason}`}`;
}

function failureText({ step, note, refusal }: Step): string {
  if (refusal !== undefined) return `${step}: refused “${refusal}”`;
  return note === undefined ? step : `${step}: ${note}`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '&#124;').replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ');
}
