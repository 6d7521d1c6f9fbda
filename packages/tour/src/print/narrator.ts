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
}

/** A narrator that writes lines. */
export function narrator(write: (line: string) => void): Narrator {
  let chapters = 0;
  return {
    chapter: (title) => {
      chapters += 1;
      write(`\n${chapters}. ${title}\n`);
    },
    exchange: (exchange) => exchangeLines(exchange).forEach(write),
    proved: (sentence) => write(`  ✓ ${sentence}`),
    say: write,
  };
}
