import { ThrottledError } from '@vestibule/protocol';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';

/** Limits of fetches per minute; 0 is unlimited. */
export interface FetchLimits {
  readonly perNetwork: number;
  readonly overall: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts fetches of documents that callers name. A fetch beyond the limit of its network does not count against the
 * total.
 * @returns a function that throws ThrottledError
 */
export function admitFetches(
  store: RateLimitStore,
  { perNetwork, overall }: FetchLimits,
): (network: string) => Promise<void> {
  const count = async (name: string, limit: number, subject: string) => {
    if (limit === 0) return;
    const outcome = await store.count({ name, limit, windowMs: MINUTE_MS }, subject);
    if (outcome.outcome === 'exceeded')
      throw new ThrottledError(outcome.retryAfterSeconds, `the limit ${name} is reached`);
  };
  return async (network) => {
    await count('metadata-document-network', perNetwork, network);
    await count('metadata-document-overall', overall, '');
  };
}
