import type { Clock } from '@vestibule/protocol';

/**
 * The time of the store, as one process knows it: the only clock by which processes compare what they tell one another.
 * Each stays by as much on the safe side as it may be off: who tells when it read something says the earliest that this
 * can have been, and who hears of it takes the present for the latest that it can be.
 */
export interface StoreClock extends Clock {
  /** By how much `nowMs` may be off the time of the store now, in milliseconds; `Infinity` while nobody knows. */
  errorMs(): number;
}

/** Knows when a machine was paused, and that the time of the store has to be asked for then. */
export interface PauseGuard {
  /** How often the machine was paused, for all that is known. */
  jumps(): number;
  /** `undefined` while the time of the store is known; else resolves when it is again, or rejects. */
  settle(): Promise<void> | undefined;
}

/** The earliest that it can be in the store: what is asked from now on is no older. */
export function earliestMs(clock: StoreClock): number {
  return clock.nowMs() - clock.errorMs();
}

/** The latest that it can be in the store: what is known by now is no younger. */
export function latestMs(clock: StoreClock): number {
  return clock.nowMs() + clock.errorMs();
}
