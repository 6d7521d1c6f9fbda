import type { Clock } from '@vestibule/protocol';
import { FederationFailure } from '../federation-failure.js';
import type { DiscoveryLimits } from './discovery-ports.js';

/** The remaining fetches of a resolution. */
export interface FetchBudget {
  /**
   * Takes one fetch.
   * @throws FederationFailure `fetch_budget` or `time_budget` if none is left
   */
  take(): void;
  taken(): number;
}

/** Creates the budget of one resolution. */
export function createFetchBudget({
  clock,
  limits,
  signal,
}: {
  readonly clock: Clock;
  readonly limits: DiscoveryLimits;
  readonly signal: AbortSignal;
}): FetchBudget {
  const deadlineMs = clock.nowMs() + limits.maxMs;
  let taken = 0;
  return {
    take: () => {
      if (signal.aborted || clock.nowMs() >= deadlineMs) throw outOfTime();
      if (taken >= limits.maxFetches)
        throw new FederationFailure('fetch_budget', 'the fetches of the resolution are used up');
      taken += 1;
    },
    taken: () => taken,
  };
}

/**
 * The result of a promise, unless the signal is aborted first.
 * @throws FederationFailure `time_budget`
 */
export async function abortedOr<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(outOfTime());
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function outOfTime(): FederationFailure {
  return new FederationFailure('time_budget', 'the time of the resolution is used up');
}
