import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@vestibule/protocol';

/** Refusals are delayed to multiples of this interval. */
const STEP_MS = 250;

/** Error codes that a failed fetch can cause. */
const REFUSALS: readonly string[] = ['unauthorized_client', 'invalid_client', 'too_many_requests'];

/**
 * Returns a handler that rethrows an error. It rethrows certain refusals only at a multiple of 250 ms after this call, so
 * that they do not reveal how long a fetch from another server took to fail.
 */
export function refusalDelay(): (error: unknown) => Promise<never> {
  const startedMs = performance.now();
  return async (error) => {
    if (error instanceof DomainError && REFUSALS.includes(error.code))
      await setTimeout(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
    throw error;
  };
}
