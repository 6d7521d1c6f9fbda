import type { Measurement } from './measurement.js';
import { quotients, type Spread, spreadOf } from './statistics.js';

/** The result of one server relative to another, over the rounds. Greater is better; 1 is equal. */
export interface Ratio {
  /** The ratio of requests per second. */
  readonly throughput: Spread;
  /** The other server's CPU time per request divided by ours; absent where the system does not report it. */
  readonly cpu?: Spread;
  /**
   * The ratio that counts: the less favourable one. Where the load generator is the bottleneck, both servers have its
   * throughput, and CPU time distinguishes them; where a database is, CPU time hides the waiting.
   */
  readonly counts: 'throughput' | 'CPU';
}

/** Compares two series of alternating runs. @throws RangeError when they have no round in common */
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

/** No value where it is unknown; such a round is left out. */
function cpuMicros(run: Measurement): number {
  return run.cpuMicrosPerRequest ?? 0;
}
