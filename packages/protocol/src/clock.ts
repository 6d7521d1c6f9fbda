import type { EpochSeconds } from './epoch-seconds.js';

/** The present. Domain code never reads the wall clock itself, so that time can be frozen in tests. */
export interface Clock {
  /** Milliseconds since the Unix epoch, not monotonic. */
  nowMs(): number;
}

/** The machine's wall clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** The current NumericDate, rounded down: a token is dead in the second that its `exp` names. */
export function nowSeconds(clock: Clock): EpochSeconds {
  return Math.floor(clock.nowMs() / 1000) as EpochSeconds;
}
