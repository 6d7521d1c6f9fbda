import type { FetchAdmission } from '@vestibule/clients/metadata-documents';
import { ThrottledError } from '@vestibule/protocol';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';

/** Limits of fetches per minute; 0 is unlimited. */
export interface FetchLimits {
  /** Of documents without a used client, by the network that causes them. */
  readonly perNetwork: number;
  /** Of documents without a used client. */
  readonly overall: number;
  /** Of documents whose client was used, by their host. */
  readonly perHost: number;
}

/** Without limits. */
export const UNLIMITED_FETCHES: FetchLimits = { perNetwork: 0, overall: 0, perHost: 0 };

const MINUTE_MS = 60_000;

/**
 * Counts fetches of documents. A fetch beyond the limit of its network does not count against the total. Fetches of
 * documents without a used client do not count against the limit of a host, which anyone could use up otherwise.
 */
export function admitFetches(
  store: RateLimitStore,
  { perNetwork, overall, perHost }: FetchLimits,
): FetchAdmission {
  const count = async (name: string, limit: number, subject: string) => {
    if (limit === 0) return;
    const outcome = await store.count({ name, limit, windowMs: MINUTE_MS }, subject);
    if (outcome.outcome === 'exceeded')
      throw new ThrottledError(outcome.retryAfterSeconds, `the limit ${name} is reached`);
  };
  return {
    unused: async (network) => {
      await count('metadata-document-network', perNetwork, network);
      await count('metadata-document-overall', overall, '');
    },
    used: (host) => count('metadata-document-host', perHost, host),
  };
}
