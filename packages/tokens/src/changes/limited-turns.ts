/** Runs work when it is its turn. */
export type LimitedTurns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs a number of pieces of work at a time; others wait in the order of their calls. */
export function limitedTurns(limit: number): LimitedTurns {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
