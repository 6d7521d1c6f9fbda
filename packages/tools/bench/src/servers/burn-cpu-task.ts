import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { reportToParent } from './serve-parent.js';

const Configuration = Type.Object({
  /** CPU time of each burst, in milliseconds. */
  burstMs: Type.Number(),
  burstsPerSecond: Type.Number(),
  seconds: Type.Number(),
});

const MICROS_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;

// Uses CPU time in bursts at a fixed rate, and nothing else: what another process costs by being on the same machine.
await reportToParent(Configuration, async ({ burstMs, burstsPerSecond, seconds }) => {
  const startedAt = performance.now();
  const count = Math.floor(burstsPerSecond * seconds);
  const before = process.cpuUsage();
  for (let burst = 0; burst < count; burst += 1) {
    const dueAt = startedAt + (burst / burstsPerSecond) * MS_PER_SECOND;
    await pause(Math.max(0, dueAt - performance.now()));
    compute(burstMs);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMicros: user + system };
});

/** Computes until so much CPU time is used, however long that takes beside other processes. */
function compute(cpuMs: number): void {
  const before = process.cpuUsage();
  let digits = 0;
  for (;;) {
    for (let step = 0; step < 1_000; step += 1) digits = (digits * 31 + step) % 1_000_003;
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / MICROS_PER_MS >= cpuMs || digits < 0) return;
  }
}
