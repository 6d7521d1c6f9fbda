import type { Clock } from '../clock.js';

/** A clock that moves only when it is told to. */
export interface FrozenClock extends Clock {
  /** Moves the present; a negative number goes back. */
  advanceSeconds(seconds: number): void;
}

/** A clock that stands still, by default in the middle of a second of 2026. */
export function frozenClock(startMs: number = Date.UTC(2026, 5, 1, 12, 0, 0, 500)): FrozenClock {
  let now = startMs;
  return {
    nowMs: () => now,
    advanceSeconds: (seconds) => {
      now += seconds * 1000;
    },
  };
}
