import { createLogger } from '@vestibule/http/observability';
import { sendRedisCommand } from '@vestibule/local-services';
import type { Dependency } from '@vestibule/service/process';
import { Secret } from '@vestibule/service/settings';
import { expect, it } from 'vitest';
import { openLocalRedis } from './local-redis.js';

/** Opens a Redis, and returns it with the servers to stop. */
async function opened(url?: Secret) {
  const owned: Dependency[] = [];
  const logger = createLogger({ level: 'silent', service: 'standalone' });
  const redis = await openLocalRedis({ url, logger, own: (dependency) => owned.push(dependency) });
  return { redis, owned };
}

it('starts a Redis of its own, with a password, which stops with the process', async () => {
  const { redis, owned } = await opened();
  const url = redis?.reveal() ?? '';
  expect(new URL(url).password).toMatch(/^[0-9a-f]{48}$/);
  expect(await sendRedisCommand(url, 'PING')).toBe('+PONG');
  for (const { close } of owned) await close();
  expect(await sendRedisCommand(url, 'PING')).toBeUndefined();
});

it('uses the configured Redis and starts none', async () => {
  const configured = new Secret('redis://127.0.0.1:1');
  expect(await opened(configured)).toEqual({ redis: configured, owned: [] });
});
