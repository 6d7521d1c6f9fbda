import { frozenClock } from '@vestibule/protocol/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { circuitBreaker } from './circuit-breaker.js';

it('opens at the fifth failure within a second, and reports it once', () => {
  const breaker = circuitBreaker({ clock: frozenClock() });
  const opened = Array.from({ length: 7 }, () => breaker.failed());
  expect(opened).toEqual([false, false, false, false, true, false, false]);
  expect(breaker.isOpen).toBe(true);
});

it('stays closed when five failures take a second or more', () => {
  const clock = frozenClock();
  const breaker = circuitBreaker({ clock });
  for (let failure = 0; failure < 50; failure += 1) {
    expect(breaker.failed()).toBe(false);
    clock.advanceSeconds(0.25);
  }
  expect(breaker.isOpen).toBe(false);
});

it('stays open until it is closed, and then needs five failures again', () => {
  const clock = frozenClock();
  const breaker = circuitBreaker({ clock });
  for (let failure = 0; failure < 5; failure += 1) breaker.failed();
  clock.advanceSeconds(3_600);
  expect(breaker.isOpen).toBe(true);
  breaker.close();
  expect(breaker.isOpen).toBe(false);
  for (let failure = 0; failure < 4; failure += 1) expect(breaker.failed()).toBe(false);
  expect(breaker.failed()).toBe(true);
});

it('forgets failures that a clock set back has moved into the future', () => {
  const clock = frozenClock();
  const breaker = circuitBreaker({ clock });
  for (let failure = 0; failure < 4; failure += 1) breaker.failed();
  clock.advanceSeconds(-3_600);
  expect(breaker.failed()).toBe(false);
});

it('is open exactly when any five failures since it was closed lie within a second', () => {
  const step = fc.oneof(fc.constant('close' as const), fc.integer({ min: 0, max: 600 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const clock = frozenClock();
      const breaker = circuitBreaker({ clock });
      let times: number[] = [];
      let open = false;
      for (const next of steps) {
        if (next === 'close') {
          breaker.close();
          times = [];
          open = false;
        } else {
          clock.advanceSeconds(next / 1000);
          breaker.failed();
          if (!open) times.push(clock.nowMs());
          const fifth = times.at(-5);
          open ||= fifth !== undefined && clock.nowMs() - fifth < 1_000;
        }
        expect(breaker.isOpen).toBe(open);
      }
    }),
  );
});
