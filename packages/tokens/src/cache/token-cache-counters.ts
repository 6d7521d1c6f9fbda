/** Counters of a token cache since the start of the process. */
export interface TokenCacheCounters {
  /** Lookups served from the memory of this process. */
  memoryHits: number;
  /** Lookups served from the shared level. */
  sharedHits: number;
  /** Tokens read from the store. */
  storeReads: number;
  /** Queries to the store. */
  storeQueries: number;
  /** Lookups that joined the read of another caller. */
  joined: number;
  /** Reads of the store that failed. */
  faults: number;
  /** Lookups served as the stale fallback while the store did not respond. */
  staleFallbacks: number;
  /** Invalidation events received. */
  invalidations: number;
  /** Gaps in the invalidation stream, and events that invalidate everything. */
  interruptions: number;
}

/** Creates counters at zero. */
export function tokenCacheCounters(): TokenCacheCounters {
  return {
    memoryHits: 0,
    sharedHits: 0,
    storeReads: 0,
    storeQueries: 0,
    joined: 0,
    faults: 0,
    staleFallbacks: 0,
    invalidations: 0,
    interruptions: 0,
  };
}
