import { type Exchange, exchangeLines } from './exchange.js';

/** Tells the story to the person who reads it. */
export interface Narrator {
  /** A new chapter. */
  chapter(title: string): void;
  exchange(exchange: Exchange): void;
  /** Something that was asserted and is so. */
  proved(sentence: string): void;
  /** Anything else. */
  say(sentence: string): void;
  /** Does what was told before in the same way: its exchanges and words are not told again. */
  asBefore<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A narrator that writes lines. */
export function narrator(write: (line: string) => void): Narrator {
  let chapters = 0;
  let repeating = 0;
  return {
    chapter: (title) => {
      chapters += 1;
      write(`\n${chapters}. ${title}\n`);
    },
    exchange: (exchange) => {
      if (repeating === 0) exchangeLines(exchange).forEach(write);
    },
    proved: (sentence) => write(`  ✓ ${sentence}`),
    say: (sentence) => {
      if (repeating === 0) write(sentence);
    },
    asBefore: async (work) => {
      repeating += 1;
      try {
        return await work();
      } finally {
        repeating -= 1;
      }
    },
  };
}
