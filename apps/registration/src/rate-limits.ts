import { redisRateLimits, withFallback } from '@vestibule/cache';
import { type RateLimitStore, tokenBuckets } from '@vestibule/clients';
import { type Clock, systemClock, type Tracer } from '@vestibule/protocol';
import type { Dependency, Metrics } from '@vestibule/service-kit';
import { openServiceRedis, type RedisSettings, type ServiceRedisOptions } from '@vestibule/service-kit/redis';

/** What counting takes. */
export interface RateLimitOptions {
  readonly config: RedisSettings & { readonly RATE_LIMITS_ENABLED: boolean };
  readonly logger: ServiceRedisOptions['logger'];
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Records commands to Redis as parts of traces; without it nobody does. */
  readonly tracer?: Tracer | undefined;
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
export function openRateLimits(options: RateLimitOptions): OpenRateLimits {
  const { config, logger, metrics, tracer, clock = systemClock } = options;
  const own = tokenBuckets({ clock });
  const shared = config.RATE_LIMITS_ENABLED
    ? openServiceRedis({ settings: config, logger, use: 'rate_limits', metrics, tracer })
    : undefined;
  if (shared === undefined) return { store: own, dependencies: [] };
  const { redis, dependency } = shared;
  return { store: withFallback(redisRateLimits({ redis, clock }), own), dependencies: [dependency] };
}
