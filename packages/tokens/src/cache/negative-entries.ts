import type { CacheTag } from '../cache-tag.js';

/**
 * Tokens that the store recently did not have, or whose client it did not have. Their only purpose is to reject older
 * states from the shared level. They are never used for a response, because a token can be issued at any moment.
 */
export interface NegativeEntries {
  /** Records tags that the store did not have at `atMs` of the monotonic clock of this process. */
  note(names: readonly CacheTag[], atMs: number): void;
  /**
   * Whether a state that was read at `readAtMs` of the same clock is older than a negative entry of one of its tags.
   */
  isOlder(readAtMs: number, names: readonly CacheTag[]): boolean;
}

/** More than can matter during the few seconds that a shared state lives, unless a caller guesses tokens. */
const MAX_NEGATIVE_ENTRIES = 10_000;

/** Creates an empty collection; the oldest entries are dropped first. */
export function negativeEntries(): NegativeEntries {
  const notedAtMs = new Map<CacheTag, number>();
  return {
    note: (names, atMs) => {
      for (const name of names) {
        notedAtMs.delete(name);
        notedAtMs.set(name, atMs);
      }
      for (const name of notedAtMs.keys()) {
        if (notedAtMs.size <= MAX_NEGATIVE_ENTRIES) return;
        notedAtMs.delete(name);
      }
    },
    isOlder: (readAtMs, names) =>
      names.some((name) => readAtMs <= (notedAtMs.get(name) ?? Number.NEGATIVE_INFINITY)),
  };
}
