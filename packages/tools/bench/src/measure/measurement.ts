import { Type } from 'typebox';
import type { ServerUsage } from './server-usage.js';

/** One run of one server under load. */
export const Measurement = Type.Object({
  requestsPerSecond: Type.Number(),
  p50Ms: Type.Number(),
  p99Ms: Type.Number(),
  /** CPU time of the server process per request; absent where the system does not report it. */
  cpuMicrosPerRequest: Type.Optional(Type.Number()),
  /** The CPU time of the server process as a share of the run, 1 for one full core. */
  serverShare: Type.Optional(Type.Number()),
  /** The share of the server's core that other processes used. */
  othersShare: Type.Optional(Type.Number()),
});

/** One run of one server under load. */
export type Measurement = Type.Static<typeof Measurement>;

/** The counts of a run. */
export interface RunCounts extends ServerUsage {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Computes a measurement from counts. @throws RangeError without a response */
export function measurementOf(counts: RunCounts): Measurement {
  const { requests, seconds, p50Ms, p99Ms, cpuMicros, coreMicros, watchedSeconds } = counts;
  if (requests === 0 || seconds <= 0) throw new RangeError('the run has no responses');
  const isReported = cpuMicros !== undefined;
  return {
    requestsPerSecond: requests / seconds,
    p50Ms,
    p99Ms,
    ...(isReported && { cpuMicrosPerRequest: cpuMicros / requests, serverShare: share(cpuMicros, seconds) }),
    ...(isReported &&
      coreMicros !== undefined && {
        othersShare: Math.max(0, share(coreMicros - cpuMicros, watchedSeconds)),
      }),
  };
}

/** CPU time as a share of a duration. */
function share(micros: number, seconds: number): number {
  return micros / (seconds * 1_000_000);
}
