/** Summary of several measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws RangeError without values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: percentile(sorted, 0.5), min: percentile(sorted, 0), max: percentile(sorted, 1) };
}

/**
 * The percentile of sorted values, interpolated between neighbours.
 * @param share from 0 to 1
 * @throws RangeError without values
 */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError('there are no values');
  return below + (above - below) * (place - Math.floor(place));
}

/** The quotients of two series, round by round; rounds missing in one of them are left out. */
export function quotients(dividends: readonly number[], divisors: readonly number[]): readonly number[] {
  return dividends.flatMap((dividend, round) => {
    const divisor = divisors[round];
    return divisor === undefined || divisor === 0 ? [] : [dividend / divisor];
  });
}
