import { type RateLimitStore, tokenBuckets } from '@vestibule/clients';
import { type Clock, ThrottledError } from '@vestibule/protocol';

/**
 * What the endpoints store for requests that no client is authenticated with: the form of an authorization request, an
 * interaction, and a pushed request of a client without authentication.
 */
export const STORED_REQUEST_KINDS = ['posted_request', 'interaction', 'pushed_request'] as const;

/** What is stored for a request. */
export type StoredRequestKind = (typeof STORED_REQUEST_KINDS)[number];

/** A request that was refused because its network had too many stored, for the log and for metrics. */
export interface ThrottledRequest {
  readonly kind: StoredRequestKind;
  /** The network that it came from, as the limits count it. */
  readonly network: string;
}

/** Limits how much requests without authentication have stored, by the network that they come from. */
export interface StoredRequestLimit {
  /**
   * Counts a request before anything of it is stored.
   * @throws ThrottledError where its network had too many stored in the last minute
   */
  admit(kind: StoredRequestKind, network: string): Promise<void>;
}

/** What the limit is made of. */
export interface StoredRequestLimitOptions {
  readonly store: RateLimitStore;
  /** Requests of each kind that one network may have stored in a minute. */
  readonly perMinute: number;
  /** Told of requests that are refused. */
  readonly onThrottled: (throttled: ThrottledRequest) => void;
}

const MINUTE_MS = 60_000;

/** Each kind is counted by itself, so that a login is counted once however its request came. */
export function storedRequestLimit({
  store,
  perMinute,
  onThrottled,
}: StoredRequestLimitOptions): StoredRequestLimit {
  return {
    admit: async (kind, network) => {
      const limit = { name: `stored-${kind.replace('_', '-')}`, limit: perMinute, windowMs: MINUTE_MS };
      const outcome = await store.count(limit, network);
      if (outcome.outcome !== 'exceeded') return;
      onThrottled({ kind, network });
      throw new ThrottledError(outcome.retryAfterSeconds, `the limit ${limit.name} is reached`);
    },
  };
}

/** What the settings say of it. */
export interface StoredRequestLimitSettings {
  readonly RATE_LIMITS_ENABLED: boolean;
  readonly STORED_REQUESTS_PER_MINUTE_AND_NETWORK: number;
}

/** The limit of a process as its settings want it: none where limits are off or the number is 0. */
export function openStoredRequestLimit(
  settings: StoredRequestLimitSettings,
  clock: Clock,
  onThrottled: (throttled: ThrottledRequest) => void,
): StoredRequestLimit | undefined {
  const { RATE_LIMITS_ENABLED: isEnabled, STORED_REQUESTS_PER_MINUTE_AND_NETWORK: perMinute } = settings;
  if (!isEnabled || perMinute === 0) return undefined;
  return storedRequestLimit({ store: tokenBuckets({ clock }), perMinute, onThrottled });
}
