import { Type } from 'typebox';

/** One run of one server under load. */
export const Measurement = Type.Object({
  requestsPerSecond: Type.Number(),
  p50Ms: Type.Number(),
  p99Ms: Type.Number(),
  /** CPU time of the server process for each request; absent where the system does not tell. */
  cpuMicrosPerRequest: Type.Optional(Type.Number()),
  /** The share of the run that the server process spent computing, 1 for one whole core. */
  serverShare: Type.Optional(Type.Number()),
  /** The share of the server's core that other processes took from it. */
  othersShare: Type.Optional(Type.Number()),
});

/** One run of one server under load. */
export type Measurement = Type.Static<typeof Measurement>;

/** What was counted in a run. */
export interface RunCounts {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server process, during the run. */
  readonly cpuMicros: number | undefined;
  /** Of everything on the server's core, during the run. */
  readonly coreMicros: number | undefined;
}

/** The measurement that counts lead to. @throws RangeError when nothing was answered */
export function measurementOf(counts: RunCounts): Measurement {
  const { requests, seconds, p50Ms, p99Ms, cpuMicros, coreMicros } = counts;
  if (requests === 0 || seconds <= 0) throw new RangeError('nothing was answered');
  const runMicros = seconds * 1_000_000;
  const isTold = cpuMicros !== undefined;
  return {
    requestsPerSecond: requests / seconds,
    p50Ms,
    p99Ms,
    ...(isTold && { cpuMicrosPerRequest: cpuMicros / requests, serverShare: cpuMicros / runMicros }),
    ...(isTold &&
      coreMicros !== undefined && { othersShare: Math.max(0, (coreMicros - cpuMicros) / runMicros) }),
  };
}
