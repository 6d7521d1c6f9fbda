import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runningTime } from './running-time.js';

it('counts the time in which the process waits', async () => {
  const startMs = performance.now();
  const time = runningTime();
  for (let wait = 0; wait < 10; wait += 1) await delay(40);
  const ranMs = time.end();
  expect(ranMs).toBeGreaterThan(100);
  expect(ranMs).toBeLessThanOrEqual(performance.now() - startMs);
});

it('counts a stall as one step, but for the CPU time of the process', () => {
  const time = runningTime();
  const start = process.cpuUsage();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  const ranMs = time.end();
  const { user, system } = process.cpuUsage(start);
  expect(ranMs).toBeGreaterThanOrEqual(25);
  expect(ranMs).toBeLessThanOrEqual(Math.max(25, (user + system) / 1_000 + 1));
});

it('counts work that blocks the event loop', () => {
  const time = runningTime();
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 300_000) JSON.parse('{}');
  expect(time.end()).toBeGreaterThan(250);
});
