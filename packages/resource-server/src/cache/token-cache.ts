import { hash } from 'node:crypto';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { Freshness, StampedResponse } from '../changes/freshness.js';
import type { Introspected } from '../introspection/introspection-client.js';
import type { AccessToken } from '../verification/access-token.js';

/** A cached active token. */
export interface CachedToken extends StampedResponse {
  /** The second to fourth word of its digest; the first one is its key. */
  readonly digest2: number;
  readonly digest3: number;
  readonly digest4: number;
  readonly token: AccessToken;
  /** The response must not be used from this time of the monotonic clock on; whole milliseconds. */
  readonly untilMs: number;
  /** Estimated size in bytes. */
  readonly bytes: number;
  /** Whether it was used since it was the newest. */
  isUsed: boolean;
}

/** Limits of the cache. */
export interface CacheLimits {
  readonly maxEntries: number;
  /** Largest sum of the estimated sizes. */
  readonly maxBytes: number;
}

/** Active tokens by the digest of their text. */
export interface TokenCache {
  /** The token of a response that may be used now. */
  current(key: string, nowMs: number): CachedToken | undefined;
  /** The token of a response that may be used now, since introspection failed. */
  fallback(key: string, nowMs: number): CachedToken | undefined;
  /** Whether a token that was cached has just been called inactive. */
  hasEnded(key: string, nowMs: number): boolean;
  /** Caches a response that may be, or that the token has ended. */
  keep(key: string, response: Introspected, nowMs: number): void;
  readonly size: number;
  readonly bytes: number;
}

/** Size of an entry beside the members of its response and its tags, as measured: key, objects, and places in maps. */
const ENTRY_BYTES = 450;
const TAG_BYTES = 8;
/** Responses that are older are introspected again. Bounded, so that times are integers that V8 stores in the entry. */
const MAX_AGE_MS = 86_400_000;
const WORD_BYTES = 4;
/** Tokens that have just ended, at most; beyond that the first ones are asked about again. */
const MAX_ENDED = 10_000;

/** The key of a token: its SHA-256 digest, so that the cache holds no token. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'binary');
}

/**
 * A word of 32 bits of a digest. Integers are compared where they are: to compare strings, each would be read from a place
 * of its own, which takes most of the time among 100,000 tokens.
 */
function word(digest: string, index: number): number {
  const at = index * WORD_BYTES;
  return (
    digest.charCodeAt(at) |
    (digest.charCodeAt(at + 1) << 8) |
    (digest.charCodeAt(at + 2) << 16) |
    (digest.charCodeAt(at + 3) << 24)
  );
}

/** Whether an entry with the same key is about this token: 128 bits, so that no other token can be found for them. */
function isAbout({ digest2, digest3, digest4 }: CachedToken, digest: string): boolean {
  return digest2 === word(digest, 1) && digest3 === word(digest, 2) && digest4 === word(digest, 3);
}

/**
 * Creates a cache. Of two tokens whose digests have the same first word, the newer is cached: one in 40,000 among
 * 100,000. It evicts the tokens that were not used for the longest time, nearly: one that was used since it was
 * stored is spared once. Tokens that are not active are not cached: they have no tags that an event could name, and
 * may become active.
 */
export function tokenCache({ maxEntries, maxBytes }: CacheLimits, freshness: Freshness): TokenCache {
  const entries = boundedMap<number, CachedToken>({
    maxEntries,
    maxSize: maxBytes,
    sizeOf: (_key, { bytes }) => bytes,
    secondChance: takeUse,
  });
  /** Until when they are refused without asking. */
  const ended = boundedMap<string, number>({ maxEntries: MAX_ENDED });
  freshness.onDiscard(() => entries.clear());
  const find = (key: string): CachedToken | undefined => {
    const entry = entries.get(word(key, 0));
    return entry !== undefined && isAbout(entry, key) ? entry : undefined;
  };
  const hasEnded = (key: string, nowMs: number) => (ended.get(key) ?? Number.NEGATIVE_INFINITY) > nowMs;
  return {
    current: (key, nowMs) => {
      const entry = find(key);
      if (entry === undefined || nowMs >= entry.untilMs || !freshness.isCurrent(entry, nowMs))
        return undefined;
      entry.isUsed = true;
      return entry;
    },
    fallback: (key, nowMs) => {
      const entry = find(key);
      return entry !== undefined && nowMs < entry.untilMs && freshness.isFallback(entry, nowMs)
        ? entry
        : undefined;
    },
    hasEnded,
    keep: (key, response, nowMs) => {
      const { token } = response;
      if (token === 'inactive') {
        if (find(key) === undefined) return;
        ended.set(key, nowMs + freshness.endedForMs);
        entries.delete(word(key, 0));
        return;
      }
      const entry = cachedToken(key, token, response, freshness.maxAgeMs);
      // A response of an instance that does not know yet may arrive late.
      if (freshness.isKeepable(entry) && !hasEnded(key, nowMs)) entries.set(word(key, 0), entry);
    },
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.totalSize;
    },
  };
}

function cachedToken(
  key: string,
  token: AccessToken,
  { sentAtMs, stamp, maxAgeSeconds = Number.POSITIVE_INFINITY, length }: Introspected,
  maxAgeMs: number,
): CachedToken {
  const ageMs = Math.min(maxAgeSeconds * 1000, maxAgeMs, MAX_AGE_MS);
  return {
    digest2: word(key, 1),
    digest3: word(key, 2),
    digest4: word(key, 3),
    token,
    stamp,
    untilMs: Math.floor(sentAtMs + ageMs),
    bytes: ENTRY_BYTES + length + (stamp?.tags.length ?? 0) * TAG_BYTES,
    checkedUpTo: -1,
    isUsed: false,
  };
}

/** Whether an entry was used since it was the newest. */
function takeUse(entry: CachedToken): boolean {
  const { isUsed } = entry;
  entry.isUsed = false;
  return isUsed;
}
