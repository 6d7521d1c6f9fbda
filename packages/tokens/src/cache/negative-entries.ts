import type { CacheTag } from '../cache-tag.js';

/**
 * The tokens of which the store said lately that they are not there, or that their client is not. It serves one
 * purpose: what another process read before must not bring one of them back here. It never answers a question, since a
 * token can be issued at any moment.
 */
export interface NegativeEntries {
  /** Notes what the store does not have, at a time of the monotonic clock of this process. */
  note(names: readonly CacheTag[], atMs: number): void;
  /** Whether something that was read at that time, by the same clock, is older than the absence of one of the names. */
  isOlder(readAtMs: number, names: readonly CacheTag[]): boolean;
}

/** More than can matter in the seconds that a shared state lives, unless someone guesses tokens. */
const MAX_NEGATIVE_ENTRIES = 10_000;

/** No absences yet; the oldest ones are forgotten first. */
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
