import type { ReplayStore } from '@vestibule/client-auth';
import type { Clock } from '@vestibule/protocol';
import { cacheKey, digestText } from './cache-key.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';

/** What the store is made of. */
export interface ReplayStoreOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
}

/** How far the clocks of two processes may be apart; for that long more than asked a use is remembered. */
const CLOCK_SKEW_MS = 60_000;
const USED = '1';

/**
 * Single use by Redis (RFC 7523 section 3). A use that was given up may have been recorded, which never makes a
 * replay fresh. A server that fails over or is flushed forgets what it was told, so that Redis alone is not enough.
 */
export function replayStore({ redis, clock }: ReplayStoreOptions): ReplayStore {
  return {
    recordUse: async (digest, keepUntil) => {
      const remainingMs = Math.max(0, keepUntil * 1000 - clock.nowMs());
      const key = cacheKey('assertion', digestText(digest));
      const ttlMs = Math.ceil(remainingMs + CLOCK_SKEW_MS);
      const reply = await redis.run((commands) => commands.set(key, USED, 'PX', ttlMs, 'NX'));
      if (reply === UNAVAILABLE) return 'unavailable';
      return reply === 'OK' ? 'fresh' : 'replayed';
    },
  };
}
