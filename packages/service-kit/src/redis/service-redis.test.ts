import { expect, it } from 'vitest';
import { createLogger } from '../logger.js';
import { createMetrics } from '../metrics.js';
import { memoryLog } from '../testing/memory-log.js';
import { openServiceRedis, reportRedisEvent } from './service-redis.js';

it('warns of a policy under which Redis may forget revocations, and names it', () => {
  const log = memoryLog();
  for (const event of [
    { event: 'ready' },
    { event: 'fault', reason: 'timeout' },
    { event: 'unsafe_eviction_policy', policy: 'allkeys-lru' },
  ] as const)
    reportRedisEvent(event, log.logger);
  expect(log.lines()).toMatchObject([
    { level: 'info', dependency: 'redis' },
    { level: 'debug', dependency: 'redis', reason: 'timeout' },
    { level: 'warn', dependency: 'redis', reason: 'allkeys-lru', msg: expect.stringContaining('evict') },
  ]);
});

it('opens nothing where no address is set', () => {
  const logger = createLogger({ level: 'silent', service: 'test' });
  expect(
    openServiceRedis({ settings: {}, logger, use: 'token_states', metrics: createMetrics('sample') }),
  ).toBeUndefined();
});
