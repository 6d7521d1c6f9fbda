export { KEY_PREFIX } from './cache-key.js';
export type { RedisAddress, RedisCredentials, RedisHost } from './redis-address.js';
export type { RedisCommands, RedisSetOptions } from './redis-client.js';
export {
  connectRedis,
  type RedisConnection,
  type RedisConnectionOptions,
  type RedisEvent,
  UNAVAILABLE,
} from './redis-connection.js';
export { type RedisRateLimitOptions, redisRateLimits, withFallback } from './redis-rate-limits.js';
export { type ReplayStoreOptions, replayStore } from './replay-store.js';
export type { EntryFault } from './token-state-entry.js';
export { type RefusedEntry, type TokenStateLevelOptions, tokenStateLevel } from './token-state-level.js';
export { tracedRedis } from './traced-redis.js';
