import { boundedMap } from '@vestibule/protocol/runtime';
import type { FoundToken, TokenState } from '../token-state.js';
import type { CacheTag } from './cache-tag.js';
import { type CachedToken, cachedToken, type TokenReading } from './cached-token.js';
import type { InvalidatedKeys } from './invalidated-keys.js';
import type { InvalidationLog } from './invalidation-log.js';

/** Limits of the in-process cache. */
export interface MemoryLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** The in-process cache of token states. It never contains responses to particular callers. */
export interface TokenMemory {
  /** Returns the state if it is known to be valid at `nowMs`, within the greatest age of the watermark. */
  get(key: string, nowMs: number): FoundToken | undefined;
  /** Returns the state if it was known to be valid within the last seconds before `nowMs`, for a failing store. */
  staleFallback(key: string, nowMs: number): FoundToken | undefined;
  /** Returns how long the state may be used that this memory has for the token; `undefined` if it has another one, or none. */
  validity(key: string, state: TokenState, nowMs: number): StateValidity | undefined;
  /** Stores a state. Whether it is still valid is checked at each use. */
  keep(key: string, reading: TokenReading): void;
  forget(key: string): void;
  readonly size: number;
  readonly bytes: number;
}

/** How long a state may be used. */
export interface StateValidity {
  /** It ends with an invalidation event that concerns one of these tags. */
  readonly tags: readonly CacheTag[];
  /** It ends after this time in any case, in milliseconds; `undefined` if there is no such limit. */
  readonly forMs: number | undefined;
}

/** Options of the in-process cache. */
export interface TokenMemoryOptions {
  readonly log: InvalidationLog;
  /** The digest keys under which identifier-based tokens were found. */
  readonly digestKeys: Pick<InvalidatedKeys, 'watermarkMs'>;
  readonly limits: MemoryLimits;
  /**
   * How long after the last watermark states and keys may be used while the store does not respond, in milliseconds.
   */
  readonly staleFallbackMs: number;
}

/** Creates an empty cache. All times are milliseconds of the monotonic clock. */
export function tokenMemory({ log, digestKeys, limits, staleFallbackMs }: TokenMemoryOptions): TokenMemory {
  const entries = boundedMap<string, CachedToken>({
    maxEntries: limits.entries,
    maxSize: limits.bytes,
    sizeOf: (_key, { bytes }) => bytes,
    secondChance: takeUse,
  });
  const used = (key: string): CachedToken | undefined => {
    const entry = entries.get(key);
    // Written only when it changes, so that the cache line stays shared.
    if (entry !== undefined && !entry.isUsed) entry.isUsed = true;
    return entry;
  };
  /** Whether the digest key under which the token is stored may have been retired too long ago. */
  const isKeyInDoubt = ({ found }: CachedToken, nowMs: number) =>
    found.state.format === 'identifier' && nowMs - digestKeys.watermarkMs() >= staleFallbackMs;
  return {
    get: (key, nowMs) => {
      if (!log.isCurrent(nowMs)) return undefined;
      const entry = used(key);
      if (entry === undefined || isOver(entry, entry.usableForMs, nowMs)) return undefined;
      if (!log.isIntact(entry, entry.tags) || isKeyInDoubt(entry, nowMs)) return undefined;
      const sequence = log.sequence();
      if (entry.sequence !== sequence) entry.sequence = sequence;
      return entry.found;
    },
    staleFallback: (key, nowMs) => {
      const entry = used(key);
      if (entry === undefined || isOver(entry, entry.staleFallbackForMs, nowMs)) return undefined;
      if (nowMs - log.watermarkMs(entry) >= staleFallbackMs || isKeyInDoubt(entry, nowMs)) return undefined;
      return log.isContradicted(entry, entry.tags) ? undefined : entry.found;
    },
    validity: (key, state, nowMs) => {
      const entry = entries.get(key);
      if (entry?.found.state !== state || !log.isCurrent(nowMs) || !log.isIntact(entry, entry.tags))
        return undefined;
      if (isOver(entry, entry.usableForMs, nowMs) || isKeyInDoubt(entry, nowMs)) return undefined;
      const forMs = entry.usableForMs === undefined ? undefined : entry.atMs + entry.usableForMs - nowMs;
      return { tags: entry.tags, forMs };
    },
    keep: (key, reading) => {
      if (limits.entries < 1) return;
      entries.set(key, cachedToken(reading));
    },
    forget: entries.delete,
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.totalSize;
    },
  };
}

/** Whether an entry was used since it was the newest. */
function takeUse(entry: CachedToken): boolean {
  const { isUsed } = entry;
  entry.isUsed = false;
  return isUsed;
}

function isOver({ atMs }: CachedToken, forMs: number | undefined, nowMs: number): boolean {
  return forMs !== undefined && nowMs >= atMs + forMs;
}
