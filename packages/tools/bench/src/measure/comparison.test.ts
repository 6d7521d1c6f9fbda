import { expect, it } from 'vitest';
import { countingSpread, ratioOf } from './comparison.js';
import type { Measurement } from './measurement.js';

function run(requestsPerSecond: number, cpuMicrosPerRequest?: number): Measurement {
  const cpu = cpuMicrosPerRequest === undefined ? {} : { cpuMicrosPerRequest };
  return { requestsPerSecond, p50Ms: 1, p99Ms: 2, ...cpu };
}

it('compares round with round, so that what slows a whole round down cancels out', () => {
  const ratio = ratioOf([run(50), run(5), run(90)], [run(100), run(10), run(100)]);
  expect(ratio.throughput).toEqual({ median: 0.5, min: 0.5, max: 0.9 });
});

it('uses CPU time where throughput is too favourable: the load generator was the bottleneck', () => {
  const ratio = ratioOf([run(100, 20)], [run(100, 10)]);
  expect(ratio).toMatchObject({ throughput: { median: 1 }, cpu: { median: 0.5 }, counts: 'CPU' });
  expect(countingSpread(ratio).median).toBe(0.5);
});

it('uses throughput where CPU time is too favourable: the server waited for a database', () => {
  const ratio = ratioOf([run(20, 10)], [run(100, 10)]);
  expect(ratio).toMatchObject({ throughput: { median: 0.2 }, cpu: { median: 1 }, counts: 'throughput' });
  expect(countingSpread(ratio).median).toBe(0.2);
});

it('uses throughput alone unless the CPU time of both is known', () => {
  for (const [ours, other] of [
    [run(50), run(100, 10)],
    [run(50, 10), run(100)],
  ] as const) {
    expect(ratioOf([ours], [other])).toEqual({
      throughput: { median: 0.5, min: 0.5, max: 0.5 },
      counts: 'throughput',
    });
  }
});

it('rejects series without a common round', () => {
  expect(() => ratioOf([run(1)], [])).toThrow(RangeError);
});
