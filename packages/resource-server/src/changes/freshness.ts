import type { ChangesState } from '../observability/metrics.js';
import type { ResponseStamp } from './response-stamp.js';

/** A cached response, as far as its freshness goes. */
export interface StampedResponse {
  readonly stamp: ResponseStamp | undefined;
  /** Number of the last event that the response was checked against; only {@link Freshness} sets it. */
  checkedUpTo: number;
}

/** Decides which responses may be cached and used again; a port, implemented by a lifetime and by a stream. */
export interface Freshness {
  /** How long a response may be used after its request was sent, at most. */
  readonly maxAgeMs: number;
  /**
   * How long a token that was cached, and that introspection calls inactive, is refused without asking again: another
   * instance of the authorization server may not know yet that it has ended. In milliseconds.
   */
  readonly endedForMs: number;
  /** Whether a response that has just arrived may be cached. Sets `checkedUpTo`. */
  isKeepable(response: StampedResponse): boolean;
  /** Whether a cached response may be used now. */
  isCurrent(response: StampedResponse, nowMs: number): boolean;
  /** Whether a cached response may be used now because introspection failed. */
  isFallback(response: StampedResponse, nowMs: number): boolean;
  /** Called by the owner of the cache: `discard` must remove every cached response. */
  onDiscard(discard: () => void): void;
  /** State of the stream of changes, for metrics; `undefined` without one. */
  readonly changes: ChangesState | undefined;
  close(): void;
}

/**
 * Responses are used for a fixed time after their request was sent. A token that is revoked meanwhile is still accepted
 * until then. With 0 nothing is cached.
 */
export function lifetimeFreshness(lifetimeMs: number): Freshness {
  return {
    maxAgeMs: lifetimeMs,
    endedForMs: 0,
    isKeepable: () => lifetimeMs > 0,
    isCurrent: () => true,
    isFallback: () => false,
    onDiscard: () => undefined,
    changes: undefined,
    close: () => undefined,
  };
}
