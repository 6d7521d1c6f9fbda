import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { CachedToken, TokenCache } from './cache/token-cache.js';
import type { Introspect } from './introspection/introspection-client.js';
import { IntrospectionFailure } from './introspection/introspection-failure.js';
import { sharedRequests } from './introspection/shared-requests.js';
import type { Counters } from './observability/counters.js';
import type { Problem } from './options.js';
import type { AcceptedRequest } from './verification/verification.js';

/** What is known about a token: the result for a request that meets all rules, or why there is none. */
export type TokenFinding =
  | AcceptedRequest
  | { readonly outcome: 'inactive' }
  | { readonly outcome: 'unavailable'; readonly failure: IntrospectionFailure };

/** Finds out about tokens. */
export interface TokenSource {
  /** The token in the cache, if it may be used now. */
  cached(key: string, nowMs: number): CachedToken | undefined;
  /** Asks the introspection endpoint. Never rejects. */
  introspect(key: string, token: string): Promise<TokenFinding>;
}

/** Dependencies of {@link tokenSource}. */
export interface TokenSourceDeps {
  readonly ask: Introspect;
  readonly cache: TokenCache;
  readonly counters: Counters;
  readonly monotonic: MonotonicClock;
  readonly onProblem: (problem: Problem) => void;
}

const INACTIVE = { outcome: 'inactive' } as const;

/** Creates the source of one resource server: cache first, then one introspection request for parallel callers. */
export function tokenSource({ ask, cache, counters, monotonic, onProblem }: TokenSourceDeps): TokenSource {
  const shared = sharedRequests<TokenFinding>(monotonic);
  const failed = (key: string, error: unknown): TokenFinding => {
    const failure =
      error instanceof IntrospectionFailure
        ? error
        : new IntrospectionFailure('internal', 'introspection failed with an unexpected error');
    counters.introspectionFailures[failure.reason] += 1;
    onProblem({ reason: failure.reason, message: failure.message });
    const entry = cache.fallback(key, monotonic());
    if (entry === undefined) return { outcome: 'unavailable', failure };
    counters.fallbacks += 1;
    return { outcome: 'accepted', token: entry.token };
  };
  const request = async (key: string, token: string, sent: () => void): Promise<TokenFinding> => {
    try {
      const response = await ask(token, sent);
      cache.keep(key, response, monotonic());
      if (response.token === 'inactive') {
        counters.introspectionsInactive += 1;
        return INACTIVE;
      }
      counters.introspectionsActive += 1;
      return { outcome: 'accepted', token: response.token };
    } catch (error) {
      return failed(key, error);
    }
  };
  return {
    cached: (key, nowMs) => cache.current(key, nowMs),
    introspect: async (key, token) =>
      cache.hasEnded(key, monotonic()) ? INACTIVE : shared.run(key, (sent) => request(key, token, sent)),
  };
}
