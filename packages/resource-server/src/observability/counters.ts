import type { IntrospectionFailureReason } from '../introspection/introspection-failure.js';
import type { RefusalReason } from '../verification/verification.js';

/** Counts since the start. */
export interface Counters {
  accepted: number;
  readonly refused: Record<RefusalReason, number>;
  /** Requests whose token was cached. */
  cacheHits: number;
  /** Requests that were accepted from the cache because introspection failed. */
  fallbacks: number;
  introspectionsActive: number;
  introspectionsInactive: number;
  readonly introspectionFailures: Record<IntrospectionFailureReason, number>;
}

/** Counters at zero, with every label value. */
export function zeroCounters(): Counters {
  return {
    accepted: 0,
    refused: {
      no_token: 0,
      ambiguous: 0,
      malformed: 0,
      inactive: 0,
      expired: 0,
      not_yet_valid: 0,
      audience: 0,
      binding: 0,
      proof: 0,
      replayed_proof: 0,
      nonce: 0,
      scope: 0,
      unavailable: 0,
    },
    cacheHits: 0,
    fallbacks: 0,
    introspectionsActive: 0,
    introspectionsInactive: 0,
    introspectionFailures: {
      credentials_refused: 0,
      not_permitted: 0,
      rate_limited: 0,
      status: 0,
      overloaded: 0,
      timeout: 0,
      connection: 0,
      malformed_response: 0,
      signature: 0,
      discovery: 0,
      internal: 0,
    },
  };
}
