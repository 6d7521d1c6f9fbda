import type { SpanAttributes, Tracer } from '@vestibule/protocol';
import { testRedisUrl } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { UNAVAILABLE } from './redis-connection.js';
import { connectedRedis } from './testing/connected-redis.js';
import { tracedRedis } from './traced-redis.js';

interface RecordedSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly failure?: string;
}

async function tracedConnection() {
  const { redis } = await connectedRedis({ url: await testRedisUrl() });
  const spans: RecordedSpan[] = [];
  const tracer: Tracer = {
    span: async ({ name, attributes = {} }, operate) => {
      let span: RecordedSpan = { name, attributes };
      const reply = await operate({
        setAttributes: (added) => {
          span = { ...span, attributes: { ...span.attributes, ...added } };
        },
        fail: (failure) => {
          span = { ...span, failure };
        },
      });
      spans.push(span);
      return reply;
    },
    traceparent: () => undefined,
  };
  return { redis: tracedRedis(redis, tracer), spans };
}

const command = (name: string) => ({
  name: 'redis',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': name },
});

it('records each command in a span under its Redis name, without key and value', async () => {
  const { redis, spans } = await tracedConnection();
  expect(await redis.run((commands) => commands.set('counter', '7', { ttlMs: 60_000 }))).toBe('OK');
  expect(await redis.run((commands) => commands.incrby('counter', 2))).toBe(9);
  expect(await redis.run((commands) => commands.getrange('counter', 0, -1))).toBe('9');
  expect(spans).toEqual([command('set'), command('incrby'), command('getrange')]);
});

it('marks the span of a command that failed', async () => {
  const { redis, spans } = await tracedConnection();
  await redis.run((commands) => commands.set('counter', 'not a number', { ttlMs: 60_000 }));
  expect(await redis.run((commands) => commands.incrby('counter', 1))).toBe(UNAVAILABLE);
  expect(spans).toEqual([command('set'), { ...command('incrby'), failure: 'unavailable' }]);
});
