import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runningTime } from './running-time.js';

it('counts the time in which the process waits', async () => {
  const time = runningTime();
  const startMs = performance.now();
  for (let wait = 0; wait < 10; wait += 1) await delay(40);
  const ranMs = time.end();
  expect(ranMs).toBeGreaterThan(100);
  expect(ranMs).toBeLessThanOrEqual(performance.now() - startMs);
});

it('counts a stall as one step', () => {
  const time = runningTime();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(time.end()).toBe(25);
});
