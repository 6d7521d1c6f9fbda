import { expect, it } from 'vitest';
import { measurementOf } from './measurement.js';

const counts = { requests: 1000, seconds: 2, p50Ms: 1, p99Ms: 3, watchedSeconds: 3 };

it('divides the CPU time of the server by the requests and the duration of the load, and that of other processes by the time under observation', () => {
  expect(measurementOf({ ...counts, cpuMicros: 1_900_000, coreMicros: 1_990_000 })).toEqual({
    requestsPerSecond: 500,
    p50Ms: 1,
    p99Ms: 3,
    cpuMicrosPerRequest: 1900,
    serverShare: 0.95,
    othersShare: 0.03,
  });
});

it('omits CPU figures where the system does not report them', () => {
  const measured = measurementOf({ ...counts, cpuMicros: undefined, coreMicros: undefined });
  expect(measured).toEqual({ requestsPerSecond: 500, p50Ms: 1, p99Ms: 3 });
});

it('never reports a negative share for other processes although the two clocks tick apart', () => {
  expect(measurementOf({ ...counts, cpuMicros: 1_000_000, coreMicros: 990_000 }).othersShare).toBe(0);
});

it('rejects a run without responses', () => {
  const nothing = { ...counts, cpuMicros: undefined, coreMicros: undefined };
  expect(() => measurementOf({ ...nothing, requests: 0 })).toThrow(RangeError);
  expect(() => measurementOf({ ...nothing, seconds: 0 })).toThrow(RangeError);
});
