import { ThrottledError } from '@vestibule/protocol';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';

/** Limits of attempted registrations per minute; 0 is unlimited. */
export interface AdmissionLimits {
  readonly perNetwork: number;
  readonly overall: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts attempted registrations, since each makes us fetch URLs that the caller names. An attempt beyond the limit of
 * its network does not count against the total.
 */
export function admission(
  store: RateLimitStore,
  { perNetwork, overall }: AdmissionLimits,
): (network: string) => Promise<void> {
  const count = async (name: string, limit: number, subject: string) => {
    if (limit === 0) return;
    const outcome = await store.count({ name, limit, windowMs: MINUTE_MS }, subject);
    if (outcome.outcome === 'exceeded')
      throw new ThrottledError(outcome.retryAfterSeconds, `the limit ${name} is reached`);
  };
  return async (network) => {
    await count('federation-network', perNetwork, network);
    await count('federation-overall', overall, '');
  };
}
