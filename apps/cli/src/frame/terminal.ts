import { styleText } from 'node:util';
import { plainJson } from './plain-text.js';
import type { Progress } from './progress.js';
import { type ProgressStream, startProgress } from './progress.js';
import { type Column, startTable } from './table.js';

/** Where a command writes. */
export interface OutputStream extends ProgressStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** What a terminal is made of. */
export interface TerminalOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether titles may be bold; `NO_COLOR` says no. */
  readonly isColourful: boolean;
}

/** What a command says: results to standard output, everything else to standard error. */
export interface Terminal {
  /** Whether the results are for programs. Known when the command runs. */
  readonly isJson: boolean;
  useJson(isJson: boolean): void;
  /** The one result: a JSON value for programs, lines for people. */
  show(value: object, lines: readonly string[]): void;
  /**
   * Results one after the other: a JSON array for programs, a table for people, which keeps to the width of a terminal.
   * Neither holds more than a page of them.
   * @param none what people are told when there is none
   * @returns how many
   */
  list<Row extends object>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    columns: readonly Column<Row>[],
    none: string,
  ): Promise<number>;
  /** A line of JSON for programs, one of many. */
  writeJson(value: object): void;
  /** Text as it is: scripts. */
  write(text: string): void;
  /** A remark for the person, on standard error. */
  note(sentence: string): void;
  /** Shows how far long work has come, where a person watches. @param total absent where it is not known */
  progress(what: string, total?: number): Progress;
}

/** Rows whose widths are looked at together. */
const PAGE = 200;

/** A terminal over two streams. */
export function createTerminal({ stdout, stderr, isColourful }: TerminalOptions): Terminal {
  let isJson = false;
  const line = (text: string) => stdout.write(`${text}\n`);
  const heading = (text: string) => line(isColourful ? styleText('bold', text) : text);
  return {
    get isJson() {
      return isJson;
    },
    useJson: (wanted) => {
      isJson = wanted;
    },
    show: (value, lines) => {
      if (isJson) line(plainJson(value, 2));
      else lines.forEach(line);
    },
    list: async (rows, columns, none) => {
      if (isJson) return listJson(rows, (text) => stdout.write(text));
      const table = startTable(columns, widthOf(stdout));
      let count = 0;
      for await (const page of pages(rows)) {
        const part = table(page);
        if (count === 0 && part.heading !== undefined) heading(part.heading);
        part.lines.forEach(line);
        count += page.length;
      }
      if (count === 0) line(none);
      return count;
    },
    writeJson: (value) => {
      line(plainJson(value));
    },
    write: (text) => {
      stdout.write(text);
    },
    note: (sentence) => {
      stderr.write(`${sentence}\n`);
    },
    progress: (what, total) => startProgress(stderr, what, total),
  };
}

/** How long lines may be: what goes to a file or another program is never cut. */
function widthOf({ isTTY, columns = 0 }: OutputStream): number {
  return isTTY === true && columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

async function listJson<Row extends object>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  write: (text: string) => unknown,
): Promise<number> {
  let count = 0;
  write('[');
  for await (const row of rows) {
    write(`${count === 0 ? '\n' : ',\n'}  ${plainJson(row)}`);
    count += 1;
  }
  write(count === 0 ? ']\n' : '\n]\n');
  return count;
}

async function* pages<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let page: Row[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
