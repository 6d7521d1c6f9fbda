import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@vestibule/protocol';

/** Fetches that fail sooner or later are told at the same times. */
const STEP_MS = 250;

/** Refusals that may follow a fetch that failed. */
const REFUSALS: readonly string[] = ['unauthorized_client', 'too_many_requests'];

/**
 * Does work whose refusals must not tell how long a server elsewhere took to fail: they come at whole steps of a
 * quarter of a second. Everything else comes at once.
 */
export async function inSteps<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.includes(error.code))
      await setTimeout(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
    throw error;
  }
}
