/** What a cache of token states did, since the process began. */
export interface TokenCacheCounters {
  /** Answered from this process. */
  memoryHits: number;
  /** Answered from the shared level. */
  sharedHits: number;
  /** Answered from the store, by tokens. */
  storeReads: number;
  /** Queries that these were bundled in. */
  storeQueries: number;
  /** Callers that took part in the read of another. */
  joined: number;
  /** Reads that the store did not answer. */
  faults: number;
  /** Answered from memory because nobody could be asked. */
  staleFallbacks: number;
  /** Invalidation events that were heard. */
  invalidations: number;
  /** How often invalidation events were lost or everything was announced. */
  interruptions: number;
}

/** Counters at zero. */
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
