import { redisRateLimits, withFallback } from '@vestibule/cache';
import type { Metrics } from '@vestibule/http/observability';
import { type Clock, systemClock, type Tracer } from '@vestibule/protocol';
import { type RateLimitStore, tokenBuckets } from '@vestibule/protocol/rate-limits';
import type { Dependency } from '@vestibule/service/process';
import { openServiceRedis, type RedisSettings, type ServiceRedisOptions } from '@vestibule/service/redis';

/** Dependencies of the counters. */
export interface RateLimitOptions {
  readonly config: RedisSettings & { readonly RATE_LIMITS_ENABLED: boolean };
  readonly logger: ServiceRedisOptions['logger'];
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Traces commands to Redis, if given. */
  readonly tracer?: Tracer | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** Counters of the registration rate limits, and the dependencies to close with the service. */
export interface OpenRateLimits {
  readonly store: RateLimitStore;
  readonly dependencies: readonly Dependency[];
}

/**
 * Opens counters that all instances share through Redis. Without Redis, or while it does not respond, this process
 * counts alone. Readiness never depends on them.
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
