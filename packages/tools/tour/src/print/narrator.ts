import { documentLines, type Exchange, exchangeLines, type Members } from './exchange.js';

/** Tells the story to the person who reads it. */
export interface Narrator {
  /** A new chapter. */
  chapter(title: string): void;
  exchange(exchange: Exchange): void;
  /** What is inside of something that is sent or received, such as the claims of a token. */
  document(title: string, members: Members): void;
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
    document: (title, members) => {
      if (repeating === 0) documentLines(title, members).forEach(write);
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
