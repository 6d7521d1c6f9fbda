import { connectRedis, type RedisConnection, type RedisEvent, tracedRedis } from '@vestibule/cache';
import type { Logger, Metrics } from '@vestibule/http/observability';
import type { Tracer } from '@vestibule/protocol';
import type { Dependency } from '../process/readiness.js';
import { type RedisUse, redisMetrics } from './redis-metrics.js';
import type { RedisSettings } from './redis-settings.js';

/** Options of {@link openServiceRedis}. */
export interface ServiceRedisOptions {
  readonly settings: RedisSettings;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
  /** Use of the connection, for metrics. */
  readonly use: RedisUse;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Records commands as spans, if given. */
  readonly tracer?: Tracer | undefined;
}

/** The Redis connection of a service, and the dependency for readiness and shutdown. */
export interface ServiceRedis {
  readonly redis: RedisConnection;
  /** Does not affect readiness. */
  readonly dependency: Dependency;
}

/** Connects to Redis as configured; `undefined` if Redis is not configured. */
export function openServiceRedis(options: ServiceRedisOptions): ServiceRedis | undefined {
  const { settings, logger, metrics, use, tracer } = options;
  const { REDIS_URL, REDIS_CA, REDIS_SENTINEL_USERNAME: username, REDIS_SENTINEL_PASSWORD } = settings;
  if (REDIS_URL === undefined) return undefined;
  const password = REDIS_SENTINEL_PASSWORD?.reveal();
  const counted = redisMetrics(metrics.registry);
  let problem: string | undefined;
  const plain = connectRedis({
    url: REDIS_URL.reveal(),
    ...(REDIS_CA && { ca: REDIS_CA.reveal() }),
    ...(password !== undefined && { sentinelCredentials: { password, ...(username && { username }) } }),
    onEvent: (event) => {
      counted.count(use, event);
      if (event.event === 'ready') problem = undefined;
      if (event.event === 'outdated_server') problem = event.error.message;
      reportRedisEvent(event, logger);
    },
  });
  counted.watch(use, plain);
  const redis = tracer === undefined ? plain : tracedRedis(plain, tracer);
  return { redis, dependency: { name: 'redis', problem: () => problem, close: async () => redis.close() } };
}

/** Log messages of rare events. */
const SENTENCES = {
  ready: 'connected to Redis',
  lost: 'lost the connection to Redis',
  breaker_opened: 'circuit breaker opened: Redis is not used until it responds again',
  breaker_closed: 'circuit breaker closed: Redis is used again',
} as const;

/** Logs the events of a connection. Faults can occur with every command, so they are logged at debug level. */
export function reportRedisEvent(event: RedisEvent, logger: ServiceRedisOptions['logger']): void {
  const dependency = 'redis';
  if (event.event === 'fault') logger.debug({ dependency, reason: event.reason }, 'a Redis command failed');
  else if (event.event === 'unsafe_eviction_policy') {
    const sentence =
      'Redis may evict entries that have not expired: set its maxmemory-policy to noeviction or volatile-ttl';
    logger.warn({ dependency, reason: event.policy }, sentence);
  } else if (event.event === 'outdated_server') logger.warn({ dependency }, event.error.message);
  else logger.info({ dependency }, SENTENCES[event.event]);
}
