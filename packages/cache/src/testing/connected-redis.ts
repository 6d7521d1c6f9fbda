import { onTestFinished, vi } from 'vitest';
import {
  connectRedis,
  type RedisConnection,
  type RedisConnectionOptions,
  type RedisEvent,
} from '../redis-connection.js';

/** A connection of one test, and everything that it reported so far. */
export interface ConnectedRedis {
  readonly redis: RedisConnection;
  readonly events: readonly RedisEvent[];
}

/** Longer than a busy machine stalls: for tests that are about answers and not about time. */
const PATIENT_MS = 2_000;

/** Connects and waits until Redis answers; closed when the test ends. Commands may take two seconds unless told. */
export async function connectedRedis(options: RedisConnectionOptions): Promise<ConnectedRedis> {
  const events: RedisEvent[] = [];
  const redis = connectRedis({
    commandTimeoutMs: PATIENT_MS,
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => redis.close());
  await vi.waitUntil(() => redis.ping(), { timeout: 10_000, interval: 20 });
  return { redis, events };
}
