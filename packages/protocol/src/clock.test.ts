import { expect, it } from 'vitest';
import { nowSeconds, systemClock } from './clock.js';
import { frozenClock, seededRandom } from './testing/index.js';

it('returns the current second, rounded down', () => {
  expect(nowSeconds({ nowMs: () => 1999 })).toBe(1);
  expect(nowSeconds({ nowMs: () => 2000 })).toBe(2);
});

it('systemClock is the wall clock', () => {
  expect(Math.abs(systemClock.nowMs() - Date.now())).toBeLessThan(1000);
});

it('frozenClock moves only when advanced, forwards or backwards', () => {
  const clock = frozenClock(1_000_500);
  expect([clock.nowMs(), clock.nowMs()]).toEqual([1_000_500, 1_000_500]);
  clock.advanceSeconds(2);
  expect(nowSeconds(clock)).toBe(1002);
  clock.advanceSeconds(-1.5);
  expect(clock.nowMs()).toBe(1_001_000);
});

it('seededRandom returns equal bytes only for equal seeds, and never repeats within one stream', () => {
  expect(seededRandom(7).bytes(64)).toEqual(seededRandom(7).bytes(64));
  expect(seededRandom(7).bytes(64)).not.toEqual(seededRandom(8).bytes(64));
  const source = seededRandom(7);
  expect(source.bytes(64)).not.toEqual(source.bytes(64));
  expect(source.bytes(0)).toHaveLength(0);
});
