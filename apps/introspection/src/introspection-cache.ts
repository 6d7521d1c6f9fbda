import { type RedisConnection, tokenStateLevel } from '@vestibule/cache';
import type { ClientWatch } from '@vestibule/client-auth';
import { type OpenInvalidationStream, type Store, systemTime } from '@vestibule/database';
import { systemClock, type Tracer } from '@vestibule/protocol';
import { type Dependency, type Logger, lastingFault, type Metrics } from '@vestibule/service-kit';
import { openServiceRedis, type RedisSettings } from '@vestibule/service-kit/redis';
import { cachedTokenStates, type StoreClock, type TokenCache, watchClients } from '@vestibule/tokens';
import { registerCacheMetrics } from './cache-metrics.js';
import type { IntrospectionConfig } from './config.js';
import { nodeScheduler } from './node-scheduler.js';

/** The memory of an introspection service, and what keeps it true. */
export interface IntrospectionCache {
  readonly states: TokenCache;
  readonly watch: ClientWatch;
  /** What the memory is shared through; absent without `REDIS_URL`. */
  readonly redis?: RedisConnection;
  /** How readiness and shutdown see it. */
  readonly dependencies: readonly Dependency[];
}

/** What opening the cache takes. */
export interface IntrospectionCacheOptions {
  readonly config: IntrospectionCacheConfig;
  readonly store: Pick<Store, 'database' | 'digester' | 'refreshDigestKeys' | 'providerKeys' | 'encryptor'> &
    Partial<Pick<Store, 'clock'>>;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Records commands to Redis as parts of traces; without it nobody does. */
  readonly tracer?: Tracer | undefined;
}

/** The settings that are about the cache. */
export type IntrospectionCacheConfig = Pick<
  IntrospectionConfig,
  | 'BASE_URL'
  | 'DATABASE_POOL_SIZE'
  | 'INTROSPECTION_CACHE_ENTRIES'
  | 'INTROSPECTION_CACHE_MEGABYTES'
  | 'INTROSPECTION_SHARED_CACHE_TTL_MS'
  | 'INTROSPECTION_SHARED_CACHE_ENCRYPTED'
> &
  RedisSettings;

const MEGABYTE = 1_048_576;
/** Connections of the pool that are left to callers, claims and heartbeats. */
const RESERVED_CONNECTIONS = 3;

/** Without a store that tells its time: what a machine whose clock is kept right is never off by. */
const MACHINE_CLOCK: StoreClock = { ...systemClock, errorMs: () => 500 };

const { monotonic } = systemTime;

/**
 * Opens the cache. It returns at once; until the invalidation stream has proven itself every response comes from the
 * store.
 */
export function openIntrospectionCache(options: IntrospectionCacheOptions): IntrospectionCache {
  const { config, store, logger, metrics, tracer } = options;
  const { database, digester, providerKeys, clock = MACHINE_CLOCK } = store;
  const stream = database.openInvalidationStream({
    monotonic,
    onProblem: lastingFault({ logger, dependency: 'stream', sentence: 'announcements cannot be heard' }),
  });
  const opened = openServiceRedis({ settings: config, logger, use: 'token_states', metrics, tracer });
  const redis = opened?.redis;
  const shared = redis && {
    shared: tokenStateLevel({
      redis,
      clock,
      ttlMs: config.INTROSPECTION_SHARED_CACHE_TTL_MS,
      ...(config.INTROSPECTION_SHARED_CACHE_ENCRYPTED && { encryptor: store.encryptor }),
      onRefused: (reason) => logger.warn({ reason }, 'a token state in Redis was refused'),
    }),
  };
  const states = cachedTokenStates({
    clock,
    issuer: config.BASE_URL,
    keys: providerKeys,
    digester,
    refreshDigestKeys: store.refreshDigestKeys,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    stream,
    monotonic,
    scheduler: nodeScheduler,
    ...shared,
    sharedTtlMs: config.INTROSPECTION_SHARED_CACHE_TTL_MS,
    limits: {
      entries: config.INTROSPECTION_CACHE_ENTRIES,
      bytes: config.INTROSPECTION_CACHE_MEGABYTES * MEGABYTE,
    },
    maxQueries: config.DATABASE_POOL_SIZE - RESERVED_CONNECTIONS,
  });
  registerCacheMetrics(metrics.registry, {
    states,
    watermarkAgeMs: () => monotonic() - stream.watermarkMs(),
  });
  return {
    states,
    watch: watchClients({ log: states.log, monotonic, scheduler: nodeScheduler }),
    ...(redis && { redis }),
    dependencies: [streamDependency(stream), ...(opened ? [opened.dependency] : [])],
  };
}

/**
 * A service is not ready before its feed has proven itself once, so that one that can never hear anything shows. Later
 * losses do not count: then answers come from the store.
 */
function streamDependency(stream: OpenInvalidationStream): Dependency {
  let isProven = false;
  return {
    name: 'stream',
    check: async () => {
      isProven ||= stream.watermarkMs() > Number.NEGATIVE_INFINITY;
      if (!isProven) throw new Error('the feed of announcements has not proven itself yet');
    },
    close: async () => stream.close(),
  };
}
