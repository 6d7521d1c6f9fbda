/** The middle, the last hundredth and the end of a distribution, in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The values below which the given shares of all values lie; 0 where there are none. */
export function percentilesOf(values: readonly number[], shares: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return shares.map((share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** The spread of values; absent when there are none. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined;
  const [p50 = 0, p99 = 0, max = 0] = percentilesOf(values, [0.5, 0.99, 1]);
  return { p50, p99, max };
}
