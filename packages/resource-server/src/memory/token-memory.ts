import { hash } from 'node:crypto';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { Freshness, StampedResponse } from '../changes/freshness.js';
import type { Introspected } from '../introspection/introspection-client.js';
import type { AccessToken } from '../verification/access-token.js';
import type { AcceptedRequest } from '../verification/verification.js';

/** A remembered active token. */
export interface RememberedToken extends StampedResponse {
  /** The result for a request that meets all rules; one object for all of them. */
  readonly accepted: AcceptedRequest;
  /** The response must not be used from this time of the monotonic clock on. */
  readonly untilMs: number;
  /** Estimated size in bytes. */
  readonly bytes: number;
  /** Whether it was used since it was the newest. */
  isUsed: boolean;
}

/** Limits of the memory. */
export interface MemoryLimits {
  readonly maxEntries: number;
  /** Largest sum of the estimated sizes. */
  readonly maxBytes: number;
}

/** Active tokens by the digest of their text. */
export interface TokenMemory {
  /** The token of a response that may be used now. */
  current(key: string, nowMs: number): RememberedToken | undefined;
  /** The token of a response that may be used now, since introspection failed. */
  fallback(key: string, nowMs: number): RememberedToken | undefined;
  /** Whether a token that was remembered has just been called inactive. */
  hasEnded(key: string, nowMs: number): boolean;
  /** Remembers a response that may be, or that the token has ended. */
  keep(key: string, response: Introspected, nowMs: number): void;
  readonly size: number;
  readonly bytes: number;
}

/** Size of an entry beside the members of its response and its tags, as measured: key, objects, and places in maps. */
const ENTRY_BYTES = 450;
const TAG_BYTES = 8;
/** Tokens that have just ended, at most; beyond that the first ones are asked about again. */
const MAX_ENDED = 10_000;

/** The key of a token: its SHA-256 digest, so that the memory holds no token. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'binary');
}

/**
 * Creates a memory. It evicts the tokens that were not used for the longest time, nearly: one that was used since it was
 * stored is spared once. Tokens that are not active are not remembered: they have no tags that an event could name, and
 * may become active.
 */
export function tokenMemory({ maxEntries, maxBytes }: MemoryLimits, freshness: Freshness): TokenMemory {
  const entries = boundedMap<string, RememberedToken>({
    maxEntries,
    maxSize: maxBytes,
    sizeOf: (_key, { bytes }) => bytes,
    secondChance: takeUse,
  });
  /** Until when they are refused without asking. */
  const ended = boundedMap<string, number>({ maxEntries: MAX_ENDED });
  freshness.onDiscard(() => entries.clear());
  const hasEnded = (key: string, nowMs: number) => (ended.get(key) ?? Number.NEGATIVE_INFINITY) > nowMs;
  return {
    current: (key, nowMs) => {
      const entry = entries.get(key);
      if (entry === undefined || nowMs >= entry.untilMs || !freshness.isCurrent(entry, nowMs))
        return undefined;
      entry.isUsed = true;
      return entry;
    },
    fallback: (key, nowMs) => {
      const entry = entries.get(key);
      return entry !== undefined && nowMs < entry.untilMs && freshness.isFallback(entry, nowMs)
        ? entry
        : undefined;
    },
    hasEnded,
    keep: (key, response, nowMs) => {
      const { token } = response;
      if (token === 'inactive') {
        if (entries.get(key) !== undefined) ended.set(key, nowMs + freshness.endedForMs);
        entries.delete(key);
        return;
      }
      const entry = rememberedToken(token, response, freshness.maxAgeMs);
      // A response of an instance that does not know yet may arrive late.
      if (freshness.isKeepable(entry) && !hasEnded(key, nowMs)) entries.set(key, entry);
    },
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.totalSize;
    },
  };
}

function rememberedToken(
  token: AccessToken,
  { sentAtMs, stamp, maxAgeSeconds = Number.POSITIVE_INFINITY, length }: Introspected,
  maxAgeMs: number,
): RememberedToken {
  return {
    accepted: Object.freeze({ outcome: 'accepted', token }),
    stamp,
    untilMs: sentAtMs + Math.min(maxAgeSeconds * 1000, maxAgeMs),
    bytes: ENTRY_BYTES + length + (stamp?.tags.length ?? 0) * TAG_BYTES,
    checkedUpTo: -1,
    isUsed: false,
  };
}

/** Whether an entry was used since it was the newest. */
function takeUse(entry: RememberedToken): boolean {
  const { isUsed } = entry;
  entry.isUsed = false;
  return isUsed;
}
