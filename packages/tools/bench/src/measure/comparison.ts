import type { Measurement } from './measurement.js';
import { quotients, type Spread, spreadOf } from './statistics.js';

/** How one server does against another, over the rounds. Greater is better; 1 is as good. */
export interface Ratio {
  /** Requests a second against requests a second. */
  readonly throughput: Spread;
  /** The other's CPU time for a request against ours; absent where the system does not tell. */
  readonly cpu?: Spread;
  /**
   * The ratio that counts: the less favourable one. Where the load generator is the bottleneck the throughput of both
   * is that of the generator, and CPU time tells them apart; where a database is, CPU time hides the waiting.
   */
  readonly counts: 'throughput' | 'CPU';
}

/** Compares two series of runs that took turns. @throws RangeError when they have no round in common */
export function ratioOf(ours: readonly Measurement[], others: readonly Measurement[]): Ratio {
  const throughput = spreadOf(quotients(ours.map(requestsPerSecond), others.map(requestsPerSecond)));
  const cpuQuotients = quotients(others.map(cpuMicros), ours.map(cpuMicros)).filter((ratio) => ratio > 0);
  if (cpuQuotients.length === 0) return { throughput, counts: 'throughput' };
  const cpu = spreadOf(cpuQuotients);
  return { throughput, cpu, counts: cpu.median < throughput.median ? 'CPU' : 'throughput' };
}

/** The spread of the ratio that counts. */
export function countingSpread({ throughput, cpu, counts }: Ratio): Spread {
  return counts === 'CPU' && cpu !== undefined ? cpu : throughput;
}

function requestsPerSecond(run: Measurement): number {
  return run.requestsPerSecond;
}

/** Nothing where it is not known; such a round is left out. */
function cpuMicros(run: Measurement): number {
  return run.cpuMicrosPerRequest ?? 0;
}
