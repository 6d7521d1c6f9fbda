import { createLogger, createMetrics } from '@vestibule/http/observability';
import { memoryLog } from '@vestibule/http/testing';
import { OutdatedServerError } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { openServiceRedis, reportRedisEvent } from './service-redis.js';

it('warns about an eviction policy that can lose revocations, and about a Redis version that is too old', () => {
  const log = memoryLog();
  for (const event of [
    { event: 'ready' },
    { event: 'fault', reason: 'timeout' },
    { event: 'unsafe_eviction_policy', policy: 'allkeys-lru' },
    { event: 'outdated_server', error: new OutdatedServerError('Redis 5.0.14', '6.0') },
  ] as const)
    reportRedisEvent(event, log.logger);
  expect(log.lines()).toMatchObject([
    { level: 'info', dependency: 'redis' },
    { level: 'debug', dependency: 'redis', reason: 'timeout' },
    { level: 'warn', dependency: 'redis', reason: 'allkeys-lru', msg: expect.stringContaining('evict') },
    { level: 'warn', dependency: 'redis', msg: 'Redis 5.0.14 is too old: version 6.0 or newer is needed' },
  ]);
});

it('opens no connection if REDIS_URL is not set', () => {
  const logger = createLogger({ level: 'silent', service: 'test' });
  expect(
    openServiceRedis({ settings: {}, logger, use: 'token_states', metrics: createMetrics('sample') }),
  ).toBeUndefined();
});
