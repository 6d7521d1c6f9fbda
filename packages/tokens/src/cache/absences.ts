import type { FactName } from '../fact-name.js';

/**
 * The tokens of which the store said lately that they are not there, or that their client is not. It serves one
 * purpose: what another process read before must not bring one of them back here. It never answers a question, since a
 * token can be issued at any moment.
 */
export interface Absences {
  /** Notes what the store does not have, at a time of the monotonic clock of this process. */
  note(names: readonly FactName[], atMs: number): void;
  /** Whether something that was read at that time, by the same clock, is older than the absence of one of the names. */
  isOlder(readAtMs: number, names: readonly FactName[]): boolean;
}

/** More than can matter in the seconds that a shared state lives, unless somebody guesses tokens. */
const MAX_ABSENCES = 10_000;

/** No absences yet; the oldest ones are forgotten first. */
export function absences(): Absences {
  const notedAtMs = new Map<FactName, number>();
  return {
    note: (names, atMs) => {
      for (const name of names) {
        notedAtMs.delete(name);
        notedAtMs.set(name, atMs);
      }
      for (const name of notedAtMs.keys()) {
        if (notedAtMs.size <= MAX_ABSENCES) return;
        notedAtMs.delete(name);
      }
    },
    isOlder: (readAtMs, names) =>
      names.some((name) => readAtMs <= (notedAtMs.get(name) ?? Number.NEGATIVE_INFINITY)),
  };
}
