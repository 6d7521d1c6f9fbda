import fc from 'fast-check';
import { expect, it } from 'vitest';
import { frozenClock } from '../testing/index.js';
import { tokenBuckets } from './token-buckets.js';

const LIMIT = { name: 'test', limit: 6, windowMs: 60_000 };

it('permits as many attempts at once as the limit, and then one for each returned token', async () => {
  const clock = frozenClock();
  const store = tokenBuckets({ clock });
  for (let remaining = 5; remaining >= 0; remaining -= 1)
    expect(await store.count(LIMIT, 'a')).toEqual({ outcome: 'within', remaining });
  expect(await store.count(LIMIT, 'a')).toEqual({ outcome: 'exceeded', retryAfterSeconds: 10 });
  clock.advanceSeconds(9);
  expect(await store.count(LIMIT, 'a')).toEqual({ outcome: 'exceeded', retryAfterSeconds: 1 });
  clock.advanceSeconds(1);
  expect(await store.count(LIMIT, 'a')).toEqual({ outcome: 'within', remaining: 0 });
  expect(await store.count(LIMIT, 'a')).toMatchObject({ outcome: 'exceeded' });
  clock.advanceSeconds(3600);
  expect(await store.count(LIMIT, 'a')).toEqual({ outcome: 'within', remaining: 5 });
});

it('reports the outcome of an attempt without counting it', async () => {
  const clock = frozenClock();
  const store = tokenBuckets({ clock });
  for (let remaining = 5; remaining >= 0; remaining -= 1) {
    expect(await store.peek(LIMIT, 'a')).toEqual({ outcome: 'within', remaining });
    expect(await store.count(LIMIT, 'a')).toEqual({ outcome: 'within', remaining });
  }
  expect(await store.peek(LIMIT, 'a')).toEqual({ outcome: 'exceeded', retryAfterSeconds: 10 });
  clock.advanceSeconds(10);
  for (let look = 0; look < 3; look += 1)
    expect(await store.peek(LIMIT, 'a')).toEqual({ outcome: 'within', remaining: 0 });
});

it('separates subjects and limits', async () => {
  const store = tokenBuckets({ clock: frozenClock() });
  const one = { ...LIMIT, limit: 1 };
  expect(await store.count(one, 'a')).toMatchObject({ outcome: 'within' });
  expect(await store.count(one, 'a')).toMatchObject({ outcome: 'exceeded' });
  expect(await store.count(one, 'b')).toMatchObject({ outcome: 'within' });
  expect(await store.count({ ...one, name: 'other' }, 'a')).toMatchObject({ outcome: 'within' });
});

it('uses bounded memory, and evicts the least recently used bucket', async () => {
  const store = tokenBuckets({ clock: frozenClock(), maxBuckets: 2 });
  const one = { ...LIMIT, limit: 1 };
  for (const subject of ['a', 'b', 'a', 'c']) await store.count(one, subject);
  expect(await store.count(one, 'a')).toMatchObject({ outcome: 'exceeded' });
  expect(await store.count(one, 'b')).toMatchObject({ outcome: 'within' });
});

it('never permits more than the limit and the returned tokens, whatever the clock does', async () => {
  const steps = fc.array(fc.integer({ min: -30, max: 90 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(steps, async (seconds) => {
      const clock = frozenClock();
      const store = tokenBuckets({ clock });
      let passed = 0;
      let forward = 0;
      for (const step of seconds) {
        clock.advanceSeconds(step);
        forward += Math.max(0, step);
        passed += (await store.count(LIMIT, 'a')).outcome === 'within' ? 1 : 0;
      }
      expect(passed).toBeLessThanOrEqual(LIMIT.limit + (forward * 1000 * LIMIT.limit) / LIMIT.windowMs);
    }),
  );
});
