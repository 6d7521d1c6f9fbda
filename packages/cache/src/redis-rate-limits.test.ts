import { type RateLimit, type RateLimitStore, tokenBuckets } from '@vestibule/protocol/rate-limits';
import { frozenClock } from '@vestibule/protocol/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { redisRateLimits, withFallback } from './redis-rate-limits.js';
import { connectedRedis } from './testing/connected-redis.js';

const LIMIT: RateLimit = { name: 'registration', limit: 3, windowMs: 60_000 };

async function shared() {
  const url = await testRedisUrl();
  const clock = frozenClock();
  const { redis } = await connectedRedis({ url });
  return { clock, store: redisRateLimits({ redis, clock }), url };
}

async function countTimes(store: RateLimitStore, times: number, subject = 'caller') {
  const outcomes = [];
  for (let attempt = 0; attempt < times; attempt += 1) outcomes.push(await store.count(LIMIT, subject));
  return outcomes;
}

describe('shared counters', () => {
  it('count down to the limit, and then report how long the window lasts', async () => {
    const { store, clock } = await shared();
    const outcomes = await countTimes(store, 4);
    clock.advanceSeconds(59);
    expect([...outcomes, await store.count(LIMIT, 'caller')]).toEqual([
      { outcome: 'within', remaining: 2 },
      { outcome: 'within', remaining: 1 },
      { outcome: 'within', remaining: 0 },
      { outcome: 'exceeded', retryAfterSeconds: 60 },
      { outcome: 'exceeded', retryAfterSeconds: 1 },
    ]);
  });

  it('start again with the next window', async () => {
    const { store, clock } = await shared();
    await countTimes(store, 9);
    clock.advanceSeconds(60);
    expect(await store.count(LIMIT, 'caller')).toEqual({ outcome: 'within', remaining: 2 });
  });

  it('count each subject under each limit separately', async () => {
    const { store } = await shared();
    await countTimes(store, 3);
    expect(await store.count(LIMIT, 'caller')).toMatchObject({ outcome: 'exceeded' });
    expect(await store.count(LIMIT, 'another')).toMatchObject({ remaining: 2 });
    expect(await store.count({ ...LIMIT, name: 'introspection' }, 'caller')).toMatchObject({ remaining: 2 });
  });

  it('report the outcome of an attempt without counting it or creating a counter', async () => {
    const { store, url } = await shared();
    const raw = new Redis(url);
    onTestFinished(() => raw.disconnect());
    expect(await store.peek(LIMIT, 'caller')).toEqual({ outcome: 'within', remaining: 2 });
    expect(await raw.keys('*')).toEqual([]);
    await countTimes(store, 2);
    for (let look = 0; look < 3; look += 1)
      expect(await store.peek(LIMIT, 'caller')).toEqual({ outcome: 'within', remaining: 0 });
    await countTimes(store, 1);
    expect(await store.peek(LIMIT, 'caller')).toEqual({ outcome: 'exceeded', retryAfterSeconds: 60 });
    expect(await store.peek(LIMIT, 'another')).toMatchObject({ remaining: 2 });
  });

  it('let exactly as many parallel attempts pass as the limit allows', async () => {
    const { store } = await shared();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.count(LIMIT, 'caller')));
    expect(outcomes.filter(({ outcome }) => outcome === 'within')).toHaveLength(3);
  });

  it('are shared, contain no identifiers, and expire', async () => {
    const { store, clock, url } = await shared();
    const raw = new Redis(url);
    onTestFinished(() => raw.disconnect());
    const { redis } = await connectedRedis({ url });
    await countTimes(store, 2, '192.0.2.1');
    expect(await redisRateLimits({ redis, clock }).count(LIMIT, '192.0.2.1')).toMatchObject({ remaining: 0 });
    const [key = '', ...others] = await raw.keys('*');
    expect(others).toEqual([]);
    expect(key).toMatch(/^vestibule:1:rate:registration:[\w-]{43}:\d+$/);
    expect(await raw.pttl(key)).toSatisfy((ms: number) => ms > 60_000 && ms <= 120_000);
  });
});

describe('counters with a fallback', () => {
  const unavailable: RateLimitStore = {
    count: async () => ({ outcome: 'unavailable' }),
    peek: async () => ({ outcome: 'unavailable' }),
  };

  it('are those of the process while the shared counters are unavailable', async () => {
    const store = withFallback(unavailable, tokenBuckets({ clock: frozenClock() }));
    await countTimes(store, 3);
    expect(await store.count(LIMIT, 'caller')).toMatchObject({ outcome: 'exceeded' });
    expect(await store.peek(LIMIT, 'caller')).toMatchObject({ outcome: 'exceeded' });
  });

  it('are the shared ones otherwise', async () => {
    const own = tokenBuckets({ clock: frozenClock() });
    const { store: common } = await shared();
    await countTimes(withFallback(common, own), 3);
    expect(await own.count(LIMIT, 'caller')).toMatchObject({ remaining: 2 });
  });
});
