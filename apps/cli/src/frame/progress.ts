/** Progress of a task. */
export interface Progress {
  /** Reports the number of processed items. */
  report(done: number): void;
  /** Removes the progress line. */
  end(): void;
}

/** Output stream of progress. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Shorter tasks show no progress. */
const PATIENCE_MS = 400;
const INTERVAL_MS = 100;
const BAR_WIDTH = 24;
const DEFAULT_COLUMNS = 80;

/** Shows a progress line that updates itself, on terminals only. */
export function startProgress(stream: ProgressStream, what: string, total?: number): Progress {
  if (stream.isTTY !== true) return { report: () => undefined, end: () => undefined };
  let shownAt = performance.now() + PATIENCE_MS - INTERVAL_MS;
  let isShown = false;
  return {
    report: (done) => {
      if (performance.now() - shownAt < INTERVAL_MS) return;
      shownAt = performance.now();
      isShown = true;
      stream.write(`\r${progressLine(what, done, total).slice(0, widthOf(stream) - 1)}\u001b[K`);
    },
    end: () => {
      if (isShown) stream.write('\r\u001b[K');
    },
  };
}

/** Terminals of unknown width report undefined or 0. */
function widthOf({ columns = 0 }: ProgressStream): number {
  return columns > 0 ? columns : DEFAULT_COLUMNS;
}

/** Formats the line: a bar if the total is known, else a number. */
export function progressLine(what: string, done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return `${what}  ${done}`;
  const part = Math.min(1, done / total);
  const filled = Math.round(part * BAR_WIDTH);
  const bar = '#'.repeat(filled) + '.'.repeat(BAR_WIDTH - filled);
  return `${what}  [${bar}] ${Math.floor(part * 100)} %  ${done}/${total}`;
}
