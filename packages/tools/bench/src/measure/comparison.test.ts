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

it('counts CPU time where the throughput flatters: the load generator was the bottleneck', () => {
  const ratio = ratioOf([run(100, 20)], [run(100, 10)]);
  expect(ratio).toMatchObject({ throughput: { median: 1 }, cpu: { median: 0.5 }, counts: 'CPU' });
  expect(countingSpread(ratio).median).toBe(0.5);
});

it('counts throughput where CPU time flatters: the server waited for a database', () => {
  const ratio = ratioOf([run(20, 10)], [run(100, 10)]);
  expect(ratio).toMatchObject({ throughput: { median: 0.2 }, cpu: { median: 1 }, counts: 'throughput' });
  expect(countingSpread(ratio).median).toBe(0.2);
});

it('goes by throughput alone where CPU time is not known of both', () => {
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

it('refuses series without a common round', () => {
  expect(() => ratioOf([run(1)], [])).toThrow(RangeError);
});
