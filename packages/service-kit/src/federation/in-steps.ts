import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@vestibule/protocol';

/** Fetches that fail sooner or later are told at the same times. */
const STEP_MS = 250;

/**
 * Does work whose refusals must not tell how long a server elsewhere took to fail: they come at whole steps of a
 * quarter of a second. Everything else comes at once.
 */
export async function inSteps<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'unauthorized_client')
      await setTimeout(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
    throw error;
  }
}
