import { onTestFinished, vi } from 'vitest';
import {
  connectRedis,
  type RedisConnection,
  type RedisConnectionOptions,
  type RedisEvent,
} from '../redis-connection.js';

/** A connection of one test, with the events that it has reported. */
export interface ConnectedRedis {
  readonly redis: RedisConnection;
  readonly events: readonly RedisEvent[];
}

/** Longer than a busy machine stalls, for tests that are not about time. */
const PATIENT_MS = 2_000;

/**
 * Connects and waits until Redis responds; closed when the test ends. The command timeout is two seconds by default.
 */
export async function connectedRedis(options: RedisConnectionOptions): Promise<ConnectedRedis> {
  const events: RedisEvent[] = [];
  const redis = connectRedis({
    commandTimeoutMs: PATIENT_MS,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => redis.close());
  await vi.waitUntil(() => redis.ping(), { timeout: 60_000, interval: 20 });
  return { redis, events };
}
