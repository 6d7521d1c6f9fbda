import type { EpochSeconds } from './epoch-seconds.js';

/** A wall clock. Domain code never reads the system clock itself, so tests can freeze time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, not monotonic. */
  nowMs(): number;
}

/** The system's wall clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** The current NumericDate, rounded down: a token is expired in the second that its `exp` names. */
export function nowSeconds(clock: Clock): EpochSeconds {
  return Math.floor(clock.nowMs() / 1000) as EpochSeconds;
}
