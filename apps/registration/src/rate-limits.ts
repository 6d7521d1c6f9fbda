import { connectRedis, redisRateLimits, withFallback } from '@vestibule/cache';
import { type RateLimitStore, tokenBuckets } from '@vestibule/clients';
import { type Clock, systemClock } from '@vestibule/protocol';
import type { Dependency, Logger, Secret } from '@vestibule/service-kit';

/** What counting takes. */
export interface RateLimitOptions {
  readonly config: { readonly REDIS_URL?: Secret; readonly RATE_LIMITS_ENABLED: boolean };
  readonly logger: Pick<Logger, 'debug' | 'info'>;
  /** The machine's own unless given. */
  readonly clock?: Clock;
}

/** The counters of the limits on registrations, and what is closed with the service. */
export interface OpenRateLimits {
  readonly store: RateLimitStore;
  readonly dependencies: readonly Dependency[];
}

/**
 * Counters that all instances share where there is a Redis, and those of this process without one or while it does not
 * answer. Never needed for readiness.
 */
export function openRateLimits({ config, logger, clock = systemClock }: RateLimitOptions): OpenRateLimits {
  const own = tokenBuckets({ clock });
  const { REDIS_URL, RATE_LIMITS_ENABLED } = config;
  if (REDIS_URL === undefined || !RATE_LIMITS_ENABLED) return { store: own, dependencies: [] };
  const redis = connectRedis({
    url: REDIS_URL.reveal(),
    onEvent: (event) => {
      if (event.event === 'fault') logger.debug(event, 'redis');
      else logger.info(event, 'redis');
    },
  });
  return {
    store: withFallback(redisRateLimits({ redis, clock }), own),
    dependencies: [{ name: 'redis', close: async () => redis.close() }],
  };
}
