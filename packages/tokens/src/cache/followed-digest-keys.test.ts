import { expect, it } from 'vitest';
import { turnsPass } from '../testing/simulated-cluster.js';
import { simulatedStream } from '../testing/simulated-stream.js';
import { simulatedTime } from '../testing/simulated-time.js';
import { cacheTag, DATA_KEYS_TAG } from './cache-tag.js';
import { followedDigestKeys } from './followed-digest-keys.js';
import { invalidationLog } from './invalidation-log.js';

/** Keys whose reads the test completes, with a stream that has a watermark. */
function followed() {
  const time = simulatedTime();
  const { monotonic, scheduler } = time;
  const stream = simulatedStream(monotonic);
  const log = invalidationLog({ stream, monotonic });
  const readings: ((changes: number | undefined) => void)[] = [];
  const refreshDigestKeys = () =>
    new Promise<number>((resolve, reject) => {
      readings.push((changes) =>
        changes === undefined ? reject(new Error('store down')) : resolve(changes),
      );
    });
  const keys = followedDigestKeys({ stream, log, monotonic, scheduler, refreshDigestKeys, maxAgeMs: 1_000 });
  let changes = 0;
  const end = async (outcome: 'changed' | 'same' | 'failed') => {
    if (outcome === 'changed') changes += 1;
    readings.shift()?.(outcome === 'failed' ? undefined : changes);
    await turnsPass();
  };
  const deliver = async () => {
    stream.beat();
    stream.deliver(stream.waiting);
    await turnsPass();
  };
  const invalidate = (tags: readonly string[]) => {
    stream.commit({ kind: 'entities', tags });
    return deliver();
  };
  return { time, stream, log, keys, readings, end, deliver, invalidate };
}

it('discards states that were read under the previous keys, as soon as the new ones are read', async () => {
  const { log, end, invalidate } = followed();
  await end('same');
  const mark = log.mark();
  await invalidate([DATA_KEYS_TAG]);
  const meanwhile = log.mark();
  await end('changed');
  for (const each of [mark, meanwhile]) expect(log.isIntact(each, [])).toBe(false);
  expect(log.isIntact(log.mark(), [])).toBe(true);
});

it('keeps states that were read under the same keys, however often these are read', async () => {
  const { log, keys, end, invalidate, readings } = followed();
  const atStart = log.mark();
  await end('same');
  await invalidate([DATA_KEYS_TAG]);
  await end('same');
  expect(log.isIntact(atStart, [])).toBe(true);
  expect([keys.areCurrent(), readings]).toEqual([true, []]);
});

it('reads the keys again if they changed during a read', async () => {
  const { keys, end, invalidate, readings } = followed();
  await end('same');
  await invalidate([DATA_KEYS_TAG]);
  await invalidate([DATA_KEYS_TAG]);
  expect(readings).toHaveLength(1);
  await end('same');
  expect([readings.length, keys.areCurrent()]).toEqual([1, false]);
  await end('same');
  expect([readings.length, keys.areCurrent()]).toEqual([0, true]);
});

it('reads the keys when the stream starts or may have missed a change, and not for other changes', async () => {
  const { stream, log, end, invalidate, deliver, readings } = followed();
  await end('same');
  await invalidate([cacheTag('client', 'a'), cacheTag('signing-keys', '')]);
  expect(readings).toEqual([]);
  stream.commit({ kind: 'everything' });
  await deliver();
  expect(readings).toHaveLength(1);
  await end('same');
  stream.lose();
  stream.start();
  await turnsPass();
  const mark = log.mark();
  await end('changed');
  expect(log.isIntact(mark, [])).toBe(false);
});

it('retries while the keys cannot be read and events arrive, with one read for any number of events', async () => {
  const { time, stream, end, invalidate, readings } = followed();
  await end('failed');
  expect(readings).toEqual([]);
  time.pass(250);
  await turnsPass();
  await end('same');
  for (let round = 0; round < 3; round += 1) await invalidate([DATA_KEYS_TAG]);
  await end('failed');
  for (let round = 0; round < 3; round += 1) await invalidate([DATA_KEYS_TAG, cacheTag('client', 'a')]);
  expect(readings).toEqual([]);
  time.pass(250);
  await turnsPass();
  expect(readings).toHaveLength(1);
  await end('failed');
  stream.lose();
  time.pass(250);
  await turnsPass();
  expect(readings).toEqual([]);
});

it('has the watermark of the stream until an event invalidates the keys, and then stops at that event', async () => {
  const { time, keys, end, deliver, invalidate } = followed();
  expect(keys.watermarkMs()).toBe(Number.NEGATIVE_INFINITY);
  await end('same');
  time.pass(10_000);
  await deliver();
  expect(keys.watermarkMs()).toBe(10_000);
  time.pass(500);
  await invalidate([DATA_KEYS_TAG]);
  time.pass(100);
  await invalidate([DATA_KEYS_TAG]);
  expect(keys.watermarkMs()).toBe(10_000);
  await end('failed');
  time.pass(250);
  await turnsPass();
  await invalidate([cacheTag('client', 'a')]);
  expect(keys.watermarkMs()).toBe(10_000);
  time.pass(100);
  await deliver();
  await end('same');
  expect(keys.watermarkMs()).toBe(10_950);
});

it('keeps the last watermark when the stream is interrupted, until the keys are read again', async () => {
  const { time, stream, keys, end, deliver } = followed();
  await end('same');
  time.pass(2_000);
  await deliver();
  time.pass(500);
  stream.lose();
  time.pass(1_000);
  expect([keys.watermarkMs(), keys.areCurrent()]).toEqual([2_000, false]);
  stream.start();
  time.pass(10);
  await deliver();
  expect([keys.watermarkMs(), keys.areCurrent()]).toEqual([2_000, false]);
  await end('same');
  expect([keys.watermarkMs(), keys.areCurrent()]).toEqual([3_510, true]);
});
