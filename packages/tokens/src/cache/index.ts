export { type CacheTag, cacheTag, digestTag, jtiTag } from './cache-tag.js';
export { cachedTokenStates, type TokenCache, type TokenCacheOptions } from './cached-token-states.js';
export type { InvalidationLog } from './invalidation-log.js';
export type {
  InvalidatedStates,
  Invalidation,
  InvalidationStream,
  RevocationListener,
  StreamPosition,
} from './invalidation-stream.js';
export type { SharedTokenLevel, SharedTokenState } from './shared-token-level.js';
export { withinStoreDeadline } from './stale-fallback.js';
export type { PauseGuard, StoreClock } from './store-clock.js';
export type { TokenCacheCounters } from './token-cache-counters.js';
export type { MemoryLimits, StateValidity } from './token-memory.js';
export { type ClientWatchOptions, type WatchedClients, watchClients } from './watch-clients.js';
