import type { RandomSource } from '@vestibule/protocol';

/** What decides how long to wait. */
export interface RetryOccasion {
  /** How many attempts there were. */
  readonly attempts: number;
  /** What the client asked for. */
  readonly retryAfterSeconds?: number;
}

const BASE_MS = 1_000;
const LONGEST_MS = 3_600_000;
const LONGEST_ASKED_MS = 3_600_000;

/**
 * How long to wait before the next attempt, in milliseconds: any time up to a limit that doubles with each attempt,
 * from a second to an hour, so that those who failed together do not come back together. What the client asks for, an
 * hour at most, is waited for besides.
 */
export function retryWaitMs(
  { attempts, retryAfterSeconds = 0 }: RetryOccasion,
  random: RandomSource,
): number {
  const limitMs = Math.min(LONGEST_MS, BASE_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 30));
  const askedMs = Math.min(LONGEST_ASKED_MS, retryAfterSeconds * 1_000);
  return Math.floor(askedMs + limitMs * fraction(random));
}

/** Evenly from 0 to below 1. */
function fraction(random: RandomSource): number {
  return Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32;
}
