import { sha256 } from '@vestibule/crypto';
import type { Clock } from '@vestibule/protocol';
import { cacheKey, digestText } from './cache-key.js';
import { judge, type RateLimitStore, windowOf } from './rate-limit.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';

/** What the shared counters are made of. */
export interface RedisRateLimitOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
}

/** How many windows a counter lives for: it must not expire between its creation and the increment. */
const WINDOWS_KEPT = 2;

/** Counters that all processes share. `unavailable` when Redis cannot count. */
export function redisRateLimits({ redis, clock }: RedisRateLimitOptions): RateLimitStore {
  return {
    count: async (limit, subject, cost = 1) => {
      const nowMs = clock.nowMs();
      const key = cacheKey('rate', limit.name, digestText(sha256(subject)), String(windowOf(limit, nowMs)));
      // Created with its lifetime first: an increment alone would make a counter that never goes away.
      const replies = await redis.run((commands) =>
        Promise.all([
          commands.set(key, '0', 'PX', limit.windowMs * WINDOWS_KEPT, 'NX'),
          commands.incrby(key, cost),
        ]),
      );
      if (replies === UNAVAILABLE) return { outcome: 'unavailable' };
      const [, count] = replies;
      return judge(limit, count, nowMs);
    },
  };
}
