import { boundedMap } from '@vestibule/protocol/runtime';
import type { CacheTag } from './cache-tag.js';

/**
 * Tokens that the store recently did not have, or whose client it did not have. Their only purpose is to reject older
 * states from the shared level. They are never used for a response, because a token can be issued at any moment.
 */
export interface NegativeEntries {
  /** Records tags that the store did not have at `atMs` of the monotonic clock of this process. */
  note(tags: readonly CacheTag[], atMs: number): void;
  /**
   * Whether a state that was read at `readAtMs` of the same clock is older than a negative entry of one of its tags.
   */
  isOlder(readAtMs: number, tags: readonly CacheTag[]): boolean;
}

/** More than can matter during the few seconds that a shared state lives, unless a caller guesses tokens. */
const MAX_NEGATIVE_ENTRIES = 10_000;

/** Creates an empty collection; the oldest entries are dropped first. */
export function negativeEntries(): NegativeEntries {
  const notedAtMs = boundedMap<CacheTag, number>({ maxEntries: MAX_NEGATIVE_ENTRIES });
  return {
    note: (tags, atMs) => {
      for (const tag of tags) notedAtMs.set(tag, atMs);
    },
    isOlder: (readAtMs, tags) =>
      tags.some((tag) => readAtMs <= (notedAtMs.get(tag) ?? Number.NEGATIVE_INFINITY)),
  };
}
