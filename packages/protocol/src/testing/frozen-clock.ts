import type { Clock } from '../clock.js';

/** A clock that only moves when advanced. */
export interface FrozenClock extends Clock {
  /** Advances the time; a negative number goes back. */
  advanceSeconds(seconds: number): void;
}

/** Creates a frozen clock, by default in the middle of a second of 2026. */
export function frozenClock(startMs: number = Date.UTC(2026, 5, 1, 12, 0, 0, 500)): FrozenClock {
  let now = startMs;
  return {
    nowMs: () => now,
    advanceSeconds: (seconds) => {
      now += seconds * 1000;
    },
  };
}
