import { frozenClock } from '@vestibule/protocol/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inProcessRateLimits } from './in-process-rate-limits.js';
import { type RateLimit, type RateLimitStore, withFallback } from './rate-limit.js';
import { redisRateLimits } from './redis-rate-limits.js';
import { connectedRedis } from './testing/connected-redis.js';

const LIMIT: RateLimit = { name: 'registration', limit: 3, windowMs: 60_000 };

async function shared() {
  const url = await testRedisUrl();
  const clock = frozenClock();
  const { redis } = await connectedRedis({ url });
  return { clock, store: redisRateLimits({ redis, clock }), url };
}

async function inProcess() {
  const clock = frozenClock();
  return { clock, store: inProcessRateLimits({ clock }) };
}

describe.each([
  ['shared counters', shared],
  ['the counters of one process', inProcess],
])('%s', (_, open) => {
  it('count down to the limit and then say how long the window lasts', async () => {
    const { store, clock } = await open();
    const outcomes = [];
    for (let attempt = 0; attempt < 4; attempt += 1) outcomes.push(await store.count(LIMIT, 'caller'));
    clock.advanceSeconds(59);
    outcomes.push(await store.count(LIMIT, 'caller'));
    expect(outcomes).toEqual([
      { outcome: 'within', remaining: 2 },
      { outcome: 'within', remaining: 1 },
      { outcome: 'within', remaining: 0 },
      { outcome: 'exceeded', retryAfterSeconds: 60 },
      { outcome: 'exceeded', retryAfterSeconds: 1 },
    ]);
  });

  it('begin again with the next window', async () => {
    const { store, clock } = await open();
    for (let attempt = 0; attempt < 9; attempt += 1) await store.count(LIMIT, 'caller');
    clock.advanceSeconds(60);
    expect(await store.count(LIMIT, 'caller')).toEqual({ outcome: 'within', remaining: 2 });
  });

  it('count each subject under each limit by itself', async () => {
    const { store } = await open();
    await store.count(LIMIT, 'caller', 3);
    expect(await store.count(LIMIT, 'caller')).toMatchObject({ outcome: 'exceeded' });
    expect(await store.count(LIMIT, 'another')).toMatchObject({ remaining: 2 });
    expect(await store.count({ ...LIMIT, name: 'introspection' }, 'caller')).toMatchObject({ remaining: 2 });
  });

  it('count a cost, and with none tell whether the limit was passed', async () => {
    const { store } = await open();
    expect(await store.count(LIMIT, 'caller', 2)).toEqual({ outcome: 'within', remaining: 1 });
    expect(await store.count(LIMIT, 'caller', 0)).toEqual({ outcome: 'within', remaining: 1 });
    await store.count(LIMIT, 'caller', 2);
    expect(await store.count(LIMIT, 'caller', 0)).toMatchObject({ outcome: 'exceeded' });
  });

  it('let exactly as many of parallel attempts pass as the limit says', async () => {
    const { store } = await open();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.count(LIMIT, 'caller')));
    expect(outcomes.filter(({ outcome }) => outcome === 'within')).toHaveLength(3);
  });
});

describe('shared counters', () => {
  it('are shared, name nobody, and go away by themselves', async () => {
    const { store, clock, url } = await shared();
    const raw = new Redis(url);
    onTestFinished(() => raw.disconnect());
    const { redis } = await connectedRedis({ url });
    await store.count(LIMIT, '192.0.2.1', 2);
    expect(await redisRateLimits({ redis, clock }).count(LIMIT, '192.0.2.1')).toMatchObject({ remaining: 0 });
    const [key = '', ...others] = await raw.keys('*');
    expect(others).toEqual([]);
    expect(key).toMatch(/^vestibule:1:rate:registration:[\w-]{43}:\d+$/);
    expect(await raw.pttl(key)).toSatisfy((ms: number) => ms > 60_000 && ms <= 120_000);
  });
});

describe('the counters of one process', () => {
  it('are no more than were allowed, however many subjects come', async () => {
    const clock = frozenClock();
    const store = inProcessRateLimits({ clock, maxCounters: 2 });
    await store.count(LIMIT, 'first', 3);
    await store.count(LIMIT, 'second', 3);
    expect(await store.count(LIMIT, 'second', 0)).toMatchObject({ remaining: 0 });
    await store.count(LIMIT, 'third');
    expect(await store.count(LIMIT, 'second')).toMatchObject({ outcome: 'exceeded' });
    expect(await store.count(LIMIT, 'first')).toMatchObject({ remaining: 2 });
  });
});

describe('counters with a fallback', () => {
  const unavailable: RateLimitStore = { count: async () => ({ outcome: 'unavailable' }) };

  it('are those of the process while the shared ones are unavailable', async () => {
    const { store: own } = await inProcess();
    const store = withFallback(unavailable, own);
    expect(await store.count(LIMIT, 'caller', 3)).toMatchObject({ remaining: 0 });
    expect(await store.count(LIMIT, 'caller')).toMatchObject({ outcome: 'exceeded' });
  });

  it('are the shared ones otherwise', async () => {
    const { store: own } = await inProcess();
    const { store: common } = await shared();
    const store = withFallback(common, own);
    await store.count(LIMIT, 'caller', 3);
    expect(await own.count(LIMIT, 'caller', 0)).toMatchObject({ remaining: 3 });
  });
});
