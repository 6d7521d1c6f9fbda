import type { IncomingMessage } from 'node:http';
import { networkOf } from '@vestibule/http';
import { type Clock, ThrottledError } from '@vestibule/protocol';
import { type RateLimitStore, tokenBuckets } from '@vestibule/protocol/rate-limits';

/**
 * What the endpoints store before a client is authenticated: the form of an authorization request, an interaction, and
 * a pushed request of a client without authentication.
 */
export const STORED_REQUEST_KINDS = ['posted_request', 'interaction', 'pushed_request'] as const;

/** The kind of a stored request. */
export type StoredRequestKind = (typeof STORED_REQUEST_KINDS)[number];

/** A throttled request, for the log and for metrics. */
export interface ThrottledRequest {
  readonly kind: StoredRequestKind;
  /** Its network, as counted by the limits. */
  readonly network: string;
}

/** Limits what requests without authentication have stored, by network. */
export interface StoredRequestLimit {
  /**
   * Counts a request before anything of it is stored.
   * @throws ThrottledError if its network had too many stored in the last minute
   */
  admit(kind: StoredRequestKind, network: string): Promise<void>;
}

/** Options of {@link storedRequestLimit}. */
export interface StoredRequestLimitOptions {
  readonly store: RateLimitStore;
  /** Requests of each kind that one network may have stored in a minute. */
  readonly perMinute: number;
  /** Called for each throttled request. */
  readonly onThrottled: (throttled: ThrottledRequest) => void;
}

const MINUTE_MS = 60_000;

/** Each kind is counted separately, so that a login counts once however its request came. */
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

/** The settings of the limit. */
export interface StoredRequestLimitSettings {
  readonly RATE_LIMITS_ENABLED: boolean;
  readonly STORED_REQUESTS_PER_MINUTE_AND_NETWORK: number;
}

/** Creates the limit of a process from its settings: none if limits are off or the number is 0. */
export function openStoredRequestLimit(
  settings: StoredRequestLimitSettings,
  clock: Clock,
  onThrottled: (throttled: ThrottledRequest) => void,
): StoredRequestLimit | undefined {
  const { RATE_LIMITS_ENABLED: isEnabled, STORED_REQUESTS_PER_MINUTE_AND_NETWORK: perMinute } = settings;
  if (!isEnabled || perMinute === 0) return undefined;
  return storedRequestLimit({ store: tokenBuckets({ clock }), perMinute, onThrottled });
}

const networks = new WeakMap<IncomingMessage, string>();

/** Keeps the network of a request, which the library itself cannot determine behind a proxy. */
export function noteNetwork(request: IncomingMessage, ip: string): void {
  networks.set(request, networkOf(ip));
}

/** The network of a request, as counted by the limits. */
export function networkOfRequest(request: IncomingMessage): string {
  return networks.get(request) ?? 'unknown';
}
