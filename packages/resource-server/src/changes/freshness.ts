import type { ResponseStamp } from './response-stamp.js';

/** A remembered response, as far as its freshness goes. */
export interface StampedResponse {
  readonly stamp: ResponseStamp | undefined;
  /** When its request was sent, on the monotonic clock. */
  readonly sentAtMs: number;
  /** Number of the last event that the response was checked against; only {@link Freshness} sets it. */
  checkedUpTo: number;
}

/** Decides which responses may be remembered and used again; a port, implemented by a lifetime and by a stream. */
export interface Freshness {
  /** Whether a response that has just arrived may be remembered. Sets `checkedUpTo`. */
  isKeepable(response: StampedResponse): boolean;
  /** Whether a remembered response may be used now. */
  isCurrent(response: StampedResponse, nowMs: number): boolean;
  /** Whether a remembered response may be used now because introspection failed. */
  isFallback(response: StampedResponse, nowMs: number): boolean;
  /** Called by the owner of the memory: `discard` must forget every remembered response. */
  onDiscard(discard: () => void): void;
  close(): void;
}

/**
 * Responses are used for a fixed time after their request was sent. A token that is revoked meanwhile is still accepted
 * until then. With 0 nothing is remembered.
 */
export function lifetimeFreshness(lifetimeMs: number): Freshness {
  const isCurrent = ({ sentAtMs }: StampedResponse, nowMs: number) => nowMs - sentAtMs < lifetimeMs;
  return {
    isKeepable: () => lifetimeMs > 0,
    isCurrent,
    isFallback: () => false,
    onDiscard: () => undefined,
    close: () => undefined,
  };
}
