import type { EpochSeconds } from '@vestibule/protocol';

/**
 * Fetches a statement from a stranger's server: the body when it was answered with 200 and the media type of an entity
 * statement, `undefined` when it cannot be had, whatever the reason. Ends within a bounded time, or soon after `signal`
 * is aborted, and never rejects.
 */
export type StatementFetcher = (address: string, signal: AbortSignal) => Promise<string | undefined>;

/** Remembers statements that were fetched. Never rejects: a cache that is down knows nothing. */
export interface StatementCache {
  /** A statement that was put under the address and has not expired. */
  get(address: string): Promise<string | undefined>;
  /** Keeps a well-formed statement until it expires at the latest; nobody has checked its signature. */
  put(address: string, statement: string, expiresAt: EpochSeconds): Promise<void>;
}

/** What one resolution may cost. */
export interface DiscoveryLimits {
  /** The most fetches in all; statements from the cache are free. */
  readonly maxFetches: number;
  /** The most superiors of one entity that are looked at. */
  readonly maxHints: number;
  /** The most paths that are followed at a time: with statements from the cache they cost no fetches. */
  readonly maxPaths: number;
  /** The most fetches at a time. */
  readonly maxParallel: number;
  /** The longest time in which fetches are begun, in milliseconds; those under way end by the signal. */
  readonly maxMs: number;
}

/**
 * What a resolution may cost when nothing else is configured. Its time ends early enough for a refusal, which comes at
 * the next quarter of a second, to be there within five seconds.
 */
export const DEFAULT_DISCOVERY_LIMITS: DiscoveryLimits = {
  maxFetches: 20,
  maxHints: 8,
  maxPaths: 32,
  maxParallel: 4,
  maxMs: 4_500,
};
