import { styleText } from 'node:util';
import { plainJson } from './plain-text.js';
import type { Progress } from './progress.js';
import { type ProgressStream, startProgress } from './progress.js';
import { type Column, startTable } from './table.js';

/** Output stream of a command. */
export interface OutputStream extends ProgressStream {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Options of {@link createTerminal}. */
export interface TerminalOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether titles may be bold; false with `NO_COLOR`. */
  readonly isColorful: boolean;
}

/** Output of a command: results go to standard output, everything else to standard error. */
export interface Terminal {
  /** Whether results are printed as JSON. Set when the command runs. */
  readonly isJson: boolean;
  useJson(isJson: boolean): void;
  /** Prints a single result: a JSON value, or lines of text. */
  show(value: object, lines: readonly string[]): void;
  /**
   * Prints a list of results: a JSON array, or a table that fits the terminal. At most one page is held in memory.
   * @param none text to print if there are no rows
   * @returns the number of rows
   */
  list<Row extends object>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    columns: readonly Column<Row>[],
    none: string,
  ): Promise<number>;
  /** Prints one of several lines of JSON. */
  writeJson(value: object): void;
  /** Prints text unchanged, for scripts. */
  write(text: string): void;
  /** Prints a remark on standard error. */
  note(sentence: string): void;
  /**
   * Shows the progress of a long task on a terminal.
   * @param total absent if it is not known
   */
  progress(what: string, total?: number): Progress;
}

/** Number of rows whose widths are computed together. */
const PAGE = 200;

/** Creates a terminal from two streams. */
export function createTerminal({ stdout, stderr, isColorful }: TerminalOptions): Terminal {
  let isJson = false;
  const line = (text: string) => stdout.write(`${text}\n`);
  const heading = (text: string) => line(isColorful ? styleText('bold', text) : text);
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

/** Returns the maximum line width. Output to files and pipes is never cut. */
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
