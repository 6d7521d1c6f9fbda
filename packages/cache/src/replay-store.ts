import type { ReplayStore } from '@vestibule/client-auth/assertions';
import type { Clock } from '@vestibule/protocol';
import { cacheKey, digestText } from './cache-key.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';

/** Options of the replay store. */
export interface ReplayStoreOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
}

/** Largest difference between the clocks of two processes; a use is kept for that much longer. */
const CLOCK_SKEW_MS = 60_000;
const USED = '1';

/**
 * Creates a replay store in Redis (RFC 7523 section 3). A use whose command timed out may have been recorded, so it can
 * look replayed later but a replay never looks fresh. A server that fails over or is flushed forgets uses, so Redis
 * alone is not enough.
 */
export function replayStore({ redis, clock }: ReplayStoreOptions): ReplayStore {
  return {
    recordUse: async (digest, keepUntil) => {
      const remainingMs = Math.max(0, keepUntil * 1000 - clock.nowMs());
      const key = cacheKey('assertion', digestText(digest));
      const ttlMs = Math.ceil(remainingMs + CLOCK_SKEW_MS);
      const reply = await redis.run((commands) => commands.set(key, USED, { ttlMs, onlyIfAbsent: true }));
      if (reply === UNAVAILABLE) return 'unavailable';
      return reply === 'OK' ? 'fresh' : 'replayed';
    },
  };
}
