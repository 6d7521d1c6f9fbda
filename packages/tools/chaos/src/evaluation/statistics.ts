/** Percentiles of a distribution, in milliseconds. */
export interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Computes percentiles. Absent without values. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return undefined;
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? max;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max };
}
