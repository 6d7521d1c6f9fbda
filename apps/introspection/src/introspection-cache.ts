import { type RedisConnection, tokenStateLevel } from '@vestibule/cache';
import type { ClientWatch } from '@vestibule/client-auth/cache';
import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import { type OpenInvalidationStream, type Store, systemTime } from '@vestibule/database';
import type { Logger, Metrics } from '@vestibule/http/observability';
import { systemClock, type Tracer } from '@vestibule/protocol';
import { nodeScheduler, type Scheduler } from '@vestibule/protocol/runtime';
import { type Dependency, lastingFault } from '@vestibule/service/process';
import { openServiceRedis, type RedisSettings } from '@vestibule/service/redis';
import { cachedTokenStates, type StoreClock, type TokenCache, watchClients } from '@vestibule/tokens/cache';
import { type TagStream, tagStream } from '@vestibule/tokens/tag-stream';
import { registerCacheMetrics } from './cache-metrics.js';
import type { IntrospectionConfig } from './config.js';

/** The token cache of an introspection service, with the invalidation stream and Redis behind it. */
export interface IntrospectionCache {
  readonly states: TokenCache;
  readonly watch: ClientWatch;
  readonly tagStream: TagStream;
  /** The shared level; absent without `REDIS_URL`. */
  readonly redis?: RedisConnection;
  /** The invalidation stream and Redis, for readiness checks and shutdown. */
  readonly dependencies: readonly Dependency[];
}

/** Options of `openIntrospectionCache`. */
export interface IntrospectionCacheOptions {
  readonly config: IntrospectionCacheConfig;
  readonly store: Pick<Store, 'database' | 'digester' | 'refreshDigestKeys' | 'providerKeys' | 'encryptor'> &
    Partial<Pick<Store, 'clock'>>;
  /** Keys of the operator's authorization server. Default: none. */
  readonly authorizationServerKeys?: OtherServerKeys | undefined;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
  /** Traces commands to Redis. Default: not traced. */
  readonly tracer?: Tracer | undefined;
  /** Schedules the deadlines of reads and claims. Default: that of Node.js. */
  readonly scheduler?: Scheduler;
}

/** The settings of the cache. */
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
/** Connections of the pool that token reads leave free for client reads, claims and checks of the invalidation stream. */
const RESERVED_CONNECTIONS = 3;

/** Fallback for stores without a clock; 500 ms is more than a synchronized machine clock is off. */
const MACHINE_CLOCK: StoreClock = { ...systemClock, errorMs: () => 500 };

const { monotonic } = systemTime;

/**
 * Opens the cache and returns at once. Until the invalidation stream has a watermark, every state is read from the
 * store.
 */
export function openIntrospectionCache(options: IntrospectionCacheOptions): IntrospectionCache {
  const {
    config,
    store,
    authorizationServerKeys,
    logger,
    metrics,
    tracer,
    scheduler = nodeScheduler,
  } = options;
  const { database, digester, providerKeys, clock = MACHINE_CLOCK } = store;
  const stream = database.openInvalidationStream({
    monotonic,
    onProblem: lastingFault({
      logger,
      dependency: 'stream',
      sentence: 'the invalidation stream is interrupted',
    }),
  });
  const opened = openServiceRedis({ settings: config, logger, use: 'token_states', metrics, tracer });
  const redis = opened?.redis;
  const shared = redis && {
    shared: tokenStateLevel({
      redis,
      clock,
      ttlMs: config.INTROSPECTION_SHARED_CACHE_TTL_MS,
      ...(config.INTROSPECTION_SHARED_CACHE_ENCRYPTED && { encryptor: store.encryptor }),
      onRefused: (reason) => logger.warn({ reason }, 'ignored an invalid token state in Redis'),
    }),
  };
  const states = cachedTokenStates({
    clock,
    issuer: config.BASE_URL,
    keys: providerKeys,
    ...(authorizationServerKeys && { authorizationServerKeys }),
    digester,
    refreshDigestKeys: store.refreshDigestKeys,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    stream,
    monotonic,
    scheduler,
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
    watch: watchClients({ log: states.log, monotonic, scheduler }),
    tagStream: tagStream({
      stream,
      digester,
      ...(authorizationServerKeys && { authorizationServerKeys }),
      monotonic,
    }),
    ...(redis && { redis }),
    dependencies: [streamDependency(stream), ...(opened ? [opened.dependency] : [])],
  };
}

/**
 * Reports the invalidation stream as not ready until it had its first watermark, so that an instance that can never
 * read events does not become ready. Later interruptions do not count, because token states then come from the store.
 */
function streamDependency(stream: OpenInvalidationStream): Dependency {
  let hadWatermark = false;
  return {
    name: 'stream',
    check: async () => {
      hadWatermark ||= stream.watermarkMs() > Number.NEGATIVE_INFINITY;
      if (!hadWatermark) throw new Error('the invalidation stream has no watermark yet');
    },
    close: async () => stream.close(),
  };
}
