import type { RandomSource } from '../random-source.js';

/** Input of {@link retryWaitMs}. */
export interface RetryOccasion {
  /** Number of attempts so far. */
  readonly attempts: number;
  /** `Retry-After` of the server. */
  readonly retryAfterSeconds?: number | undefined;
  /** Limit of the random part, in milliseconds. Default: an hour. */
  readonly longestMs?: number;
}

const BASE_MS = 1_000;
const LONGEST_MS = 3_600_000;
const LONGEST_REQUESTED_MS = 3_600_000;

/**
 * Wait before the next attempt, in milliseconds: random up to a limit that doubles with each attempt, from a second to
 * an hour, so that requests that failed together do not retry together. `Retry-After`, an hour at most, is a lower
 * bound.
 */
export function retryWaitMs(
  { attempts, retryAfterSeconds = 0, longestMs = LONGEST_MS }: RetryOccasion,
  random: RandomSource,
): number {
  const limitMs = Math.min(longestMs, BASE_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 30));
  const requestedMs = Math.min(LONGEST_REQUESTED_MS, retryAfterSeconds * 1_000);
  return Math.floor(requestedMs + limitMs * fraction(random));
}

/** Uniform in [0, 1). */
function fraction(random: RandomSource): number {
  return Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
}
