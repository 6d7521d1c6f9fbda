import { documentLines, type Exchange, exchangeLines, type Members } from './exchange.js';

/** Prints the tour. */
export interface Reporter {
  /** Starts a chapter. */
  chapter(title: string): void;
  /** The title of the current chapter with its number; empty before the first. */
  current(): string;
  exchange(exchange: Exchange): void;
  /** The members of a document that was sent or received, such as the claims of a token. */
  document(title: string, members: Members): void;
  /** A check that succeeded. */
  passed(check: string): void;
  /** A measured time, of which the summary shows the longest under each name. */
  measured(name: string, ms: number): void;
  /** A line that explains the exchanges. */
  note(line: string): void;
  /** A line that is always printed, such as that chapters are skipped. */
  notice(line: string): void;
  /** Repeats steps that were printed before: prints their checks, but not their exchanges and notes. */
  repeat<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Prints the current chapter in full, because a check in it failed. */
  failed(): void;
  /** Prints the number of checks and the measured times, with further lines below. */
  summary(...lines: readonly string[]): void;
}

/** How a reporter prints. */
export interface ReporterOptions {
  readonly write: (line: string) => void;
  /** Whether every exchange and every check is printed, instead of one line for each chapter. */
  readonly isVerbose: boolean;
}

/** Creates a reporter that writes lines. */
export function createReporter({ write, isVerbose }: ReporterOptions): Reporter {
  const startedAt = performance.now();
  const counts = { chapters: 0, exchanges: 0, checks: 0 };
  const longest = new Map<string, number>();
  let title = '';
  let details: string[] = [];
  let checksBefore = 0;
  let repeating = 0;
  const detail = (line: string) => {
    if (isVerbose) write(line);
    else details.push(line);
  };
  const endChapter = () => {
    if (!isVerbose && title !== '') write(`✓ ${title} (${plural(counts.checks - checksBefore, 'check')})`);
    details = [];
    checksBefore = counts.checks;
  };
  return {
    chapter: (text) => {
      endChapter();
      counts.chapters += 1;
      title = `${counts.chapters}. ${text}`;
      if (isVerbose) write(`\n${title}\n`);
    },
    current: () => title,
    exchange: (exchange) => {
      counts.exchanges += 1;
      if (repeating === 0) exchangeLines(exchange).forEach(detail);
    },
    document: (name, members) => {
      if (repeating === 0) documentLines(name, members).forEach(detail);
    },
    passed: (check) => {
      counts.checks += 1;
      detail(`  ✓ ${check}`);
    },
    measured: (name, ms) => longest.set(name, Math.max(longest.get(name) ?? 0, Math.ceil(ms))),
    note: (line) => {
      if (repeating === 0) detail(line);
    },
    notice: write,
    repeat: async (work) => {
      repeating += 1;
      try {
        return await work();
      } finally {
        repeating -= 1;
      }
    },
    failed: () => [...(title === '' ? [] : [`\n${title}\n`]), ...details].forEach(write),
    summary: (...lines) => {
      endChapter();
      title = '';
      const { chapters, checks, exchanges } = counts;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const figures = [...longest].map(([name, ms]) => `${name}: ${ms} ms`);
      write(
        `\n${plural(chapters, 'chapter')}, ${plural(checks, 'check')}, ${plural(exchanges, 'exchange')} in ${seconds} s:`,
      );
      for (const line of [...figures, ...lines]) write(`- ${line}`);
      write('\nEvery check passed.');
    },
  };
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
