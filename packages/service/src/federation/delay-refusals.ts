import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@vestibule/protocol';

/** Refusals are delayed to multiples of this interval. */
const STEP_MS = 250;

/** Error codes that a failed fetch can cause. */
const REFUSALS: readonly string[] = ['unauthorized_client', 'invalid_client', 'too_many_requests'];

/**
 * Runs work and delays certain refusals to multiples of 250 ms, so that they do not reveal how long a fetch from
 * another server took to fail. Any other result is returned at once.
 */
export async function delayRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.includes(error.code))
      await setTimeout(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
    throw error;
  }
}
