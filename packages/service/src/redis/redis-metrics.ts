import type { RedisConnection, RedisEvent } from '@vestibule/cache';
import { oncePerRegistry, readGauge } from '@vestibule/http/observability';
import { Counter } from 'prom-client';

/** What a process uses Redis for. */
export type RedisUse = 'token_states' | 'rate_limits';

/** Counts events of the Redis connections of a process. */
export interface RedisMetrics {
  watch(use: RedisUse, redis: Pick<RedisConnection, 'isBreakerOpen'>): void;
  count(use: RedisUse, event: RedisEvent): void;
}

/** Reasons with their own label value; all others are `other`. */
const REASONS = [
  'timeout',
  'connection',
  'ECONNREFUSED',
  'ECONNRESET',
  'OOM',
  'READONLY',
  'NOPERM',
  'CLUSTERDOWN',
];

/** Redis metrics; a process may have several connections. */
export const redisMetrics = oncePerRegistry((registry): RedisMetrics => {
  const watched = new Map<RedisUse, Pick<RedisConnection, 'isBreakerOpen'>>();
  readGauge(registry, {
    name: 'redis_breaker_open',
    help: 'Whether the Redis circuit breaker is open: 1 or 0. While it is open, Redis is not used.',
    labels: ['use'],
    read: () => [...watched].map(([use, { isBreakerOpen }]) => [{ use }, Number(isBreakerOpen)] as const),
  });
  const faults = new Counter({
    name: 'redis_faults_total',
    help: 'Failed Redis commands and connections by reason.',
    labelNames: ['use', 'reason'] as const,
    registers: [registry],
  });
  const openings = new Counter({
    name: 'redis_breaker_openings_total',
    help: 'Times that the Redis circuit breaker opened.',
    labelNames: ['use'] as const,
    registers: [registry],
  });
  return {
    watch: (use, redis) => {
      watched.set(use, redis);
      for (const reason of [...REASONS, 'other']) faults.inc({ use, reason }, 0);
      openings.inc({ use }, 0);
    },
    count: (use, event) => {
      if (event.event === 'breaker_opened') openings.inc({ use });
      if (event.event !== 'fault') return;
      faults.inc({ use, reason: REASONS.includes(event.reason) ? event.reason : 'other' });
    },
  };
});
