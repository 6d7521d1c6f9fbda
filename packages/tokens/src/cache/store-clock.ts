import type { Clock } from '@vestibule/protocol';

/**
 * The clock of the store as one process knows it. Processes compare times by this clock only, each on the safe side of
 * its uncertainty: a writer states the earliest time at which it may have read, and a reader assumes the latest time
 * that it may be now.
 */
export interface StoreClock extends Clock {
  /** Uncertainty of `nowMs` compared with the clock of the store, in milliseconds; `Infinity` while it is unknown. */
  errorMs(): number;
}

/** Detects pauses of the machine, after which the clock of the store has to be read again. */
export interface PauseGuard {
  /** Number of pauses that were detected. */
  jumps(): number;
  /** `undefined` while the time of the store is known; else resolves when it is known again, or rejects. */
  settle(): Promise<void> | undefined;
}

/** Returns the earliest time that it may be in the store: reads from now on are not older. */
export function earliestMs(clock: StoreClock): number {
  return clock.nowMs() - clock.errorMs();
}

/** Returns the latest time that it may be in the store: states that are known now are not younger. */
export function latestMs(clock: StoreClock): number {
  return clock.nowMs() + clock.errorMs();
}
