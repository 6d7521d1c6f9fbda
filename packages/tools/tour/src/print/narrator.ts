import { documentLines, type Exchange, exchangeLines, type Members } from './exchange.js';

/** Prints the tour. */
export interface Narrator {
  /** Starts a chapter. */
  chapter(title: string): void;
  /** The title of the current chapter with its number; empty before the first. */
  current(): string;
  exchange(exchange: Exchange): void;
  /** The members of something that is sent or received, such as the claims of a token. */
  document(title: string, members: Members): void;
  /** A check that succeeded. */
  proved(sentence: string): void;
  /** A measured time, of which the summary shows the longest under each name. */
  measured(name: string, ms: number): void;
  /** Any other sentence. */
  say(sentence: string): void;
  /** A sentence that is printed without `--verbose` too, such as what the tour skips. */
  notice(sentence: string): void;
  /** Runs steps that were printed before: their exchanges and sentences are not printed again. */
  asBefore<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Prints the current chapter in full, for a tour that failed there. */
  failed(): void;
  /** Prints what was checked and measured, with further lines below. */
  summary(...lines: readonly string[]): void;
}

/** How a narrator prints. */
export interface NarratorOptions {
  readonly write: (line: string) => void;
  /** Every exchange and every check, instead of one line for each chapter. */
  readonly isVerbose: boolean;
}

/** A narrator that writes lines. */
export function narrator({ write, isVerbose }: NarratorOptions): Narrator {
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
    proved: (sentence) => {
      counts.checks += 1;
      detail(`  ✓ ${sentence}`);
    },
    measured: (name, ms) => longest.set(name, Math.max(longest.get(name) ?? 0, Math.ceil(ms))),
    say: (sentence) => {
      if (repeating === 0) detail(sentence);
    },
    notice: write,
    asBefore: async (work) => {
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
      write('\nThe tour is over: everything is as it should be.');
    },
  };
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
