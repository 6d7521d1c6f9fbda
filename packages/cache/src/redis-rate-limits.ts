import { sha256 } from '@vestibule/crypto';
import type { Clock } from '@vestibule/protocol';
import type { RateLimit, RateLimitOutcome, RateLimitStore } from '@vestibule/protocol/rate-limits';
import { cacheKey, digestText } from './cache-key.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';

/** Options of the shared rate limits. */
export interface RedisRateLimitOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
}

/** Lifetime of a counter in windows; with one, it could expire between its creation and the increment. */
const WINDOWS_KEPT = 2;

/**
 * Creates rate limits that all processes share, with fixed windows that start at multiples of their length. Around the
 * boundary of two windows twice the limit can pass. The outcome is `unavailable` when Redis cannot count.
 */
export function redisRateLimits({ redis, clock }: RedisRateLimitOptions): RateLimitStore {
  const keyAt = ({ name, windowMs }: RateLimit, subject: string, nowMs: number) =>
    cacheKey('rate', name, digestText(sha256(subject)), String(Math.floor(nowMs / windowMs)));
  return {
    peek: async (limit, subject) => {
      const nowMs = clock.nowMs();
      const count = await redis.run((commands) => commands.getrange(keyAt(limit, subject, nowMs), 0, -1));
      return count === UNAVAILABLE ? { outcome: 'unavailable' } : evaluate(limit, Number(count) + 1, nowMs);
    },
    count: async (limit, subject) => {
      const nowMs = clock.nowMs();
      const key = keyAt(limit, subject, nowMs);
      // Created with its lifetime first, because an increment alone would create a counter that never expires.
      const replies = await redis.run((commands) =>
        Promise.all([
          commands.set(key, '0', { ttlMs: limit.windowMs * WINDOWS_KEPT, onlyIfAbsent: true }),
          commands.incrby(key, 1),
        ]),
      );
      if (replies === UNAVAILABLE) return { outcome: 'unavailable' };
      const [, count] = replies;
      return evaluate(limit, count, nowMs);
    },
  };
}

/** Decides by a count in the current window. */
function evaluate({ limit, windowMs }: RateLimit, count: number, nowMs: number): RateLimitOutcome {
  if (count <= limit) return { outcome: 'within', remaining: limit - count };
  const untilNextMs = windowMs - (nowMs % windowMs);
  return { outcome: 'exceeded', retryAfterSeconds: Math.ceil(untilNextMs / 1000) };
}

/** Uses the shared rate limits, and those of this process while the shared ones are unavailable. */
export function withFallback(shared: RateLimitStore, own: RateLimitStore): RateLimitStore {
  const first =
    (method: keyof RateLimitStore): RateLimitStore['count'] =>
    async (limit, subject) => {
      const outcome = await shared[method](limit, subject);
      return outcome.outcome === 'unavailable' ? own[method](limit, subject) : outcome;
    };
  return { count: first('count'), peek: first('peek') };
}
