import { randomBytes } from 'node:crypto';
import type { RedisUnderFault } from '../processes/redis.js';
import { type Fault, UNNOTICED } from '../trials/fault.js';
import { disturb } from './network-fault.js';
import { repeating } from './repeating.js';

const JUNK_BYTES = 4_096;
const ROOM_BYTES = 150_000;

/** Faults of Redis. None of them may make a request fail. */
export const REDIS_FAULTS: readonly Fault[] = [
  {
    id: 'redis-killed',
    title: 'Redis is killed',
    seconds: 30,
    limits: UNNOTICED,
    begin: async ({ redis }) => {
      await redis.kill();
      return redis.restart;
    },
  },
  {
    id: 'redis-frozen',
    title: 'Redis is stopped (SIGSTOP)',
    seconds: 20,
    limits: UNNOTICED,
    begin: async ({ redis }) => {
      redis.freeze();
      return async () => redis.thaw();
    },
  },
  {
    id: 'redis-slow',
    title: 'every response of Redis comes 200 ms later',
    seconds: 10,
    limits: UNNOTICED,
    begin: (cluster) => disturb(cluster, 'redis', { traffic: { kind: 'delay', ms: 200, from: 'server' } }),
  },
  {
    id: 'redis-half-open',
    title: 'responses of Redis are lost on open connections',
    seconds: 10,
    limits: UNNOTICED,
    begin: (cluster) => disturb(cluster, 'redis', { traffic: { kind: 'drop', from: 'server' } }),
  },
  {
    id: 'redis-drip',
    title: 'Redis responds at 200 bytes per second, and connections are cut',
    seconds: 10,
    limits: UNNOTICED,
    begin: async (cluster) => {
      const pass = await disturb(cluster, 'redis', {
        traffic: { kind: 'drip', bytesPerSecond: 200, from: 'server' },
      });
      const stop = repeating(1_000, async () => {
        for (const { redis } of cluster.instances) redis.reset();
      });
      return async () => {
        await stop();
        await pass();
      };
    },
  },
  {
    id: 'redis-full',
    title: 'Redis is full and refuses every write (noeviction)',
    seconds: 10,
    limits: UNNOTICED,
    begin: async ({ redis: { admin } }) => {
      await admin.config('SET', 'maxmemory', '1');
      return () => admin.config('SET', 'maxmemory', '0');
    },
  },
  {
    id: 'redis-evicting',
    title: 'Redis is full and evicts anything (allkeys-lru), tombstones too',
    seconds: 10,
    limits: UNNOTICED,
    prepare: async ({ redis: { admin } }, toEnd) => {
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
      toEnd.add(async () => void (await admin.config('SET', 'maxmemory-policy', 'noeviction')));
      return {};
    },
    begin: async ({ redis }) => {
      await redis.admin.config('SET', 'maxmemory', String((await usedBytes(redis)) + ROOM_BYTES));
      const stop = repeating(10, () =>
        redis.admin.set(randomBytes(8).toString('hex'), randomBytes(JUNK_BYTES)),
      );
      return async () => {
        await stop();
        await redis.admin.config('SET', 'maxmemory', '0');
      };
    },
    problems: async ({ instances }) =>
      instances
        .filter(({ service }) => !/"level":"warn".*maxmemory-policy/.test(service.process().output()))
        .map(({ node }) => `instance ${node} does not warn about the policy`),
  },
  {
    id: 'redis-flushed',
    title: 'Redis is flushed twice per second',
    seconds: 10,
    limits: UNNOTICED,
    begin: async ({ redis: { admin } }) => repeating(500, () => admin.flushall()),
  },
];

async function usedBytes({ admin }: RedisUnderFault): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await admin.info('memory'))?.[1]);
}
