/** What has to be ended, the last one first. */
export interface Closers {
  /** What comes when everything has been ended already, from a start that took too long, is ended at once. */
  add(close: () => Promise<void>): void;
  /** Ends everything once, whatever fails; the first failure is thrown in the end. */
  closeAll(): Promise<void>;
}

/** Nothing to end yet. */
export function closers(): Closers {
  const open: (() => Promise<void>)[] = [];
  let isOver = false;
  return {
    add: (close) => {
      // Nobody is left who could be told of a failure.
      if (isOver) close().catch(() => undefined);
      else open.push(close);
    },
    closeAll: async () => {
      isOver = true;
      const failures: unknown[] = [];
      for (let close = open.pop(); close !== undefined; close = open.pop()) {
        await close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** Does something and ends what it has opened, whatever comes of it. */
export async function closing<Result>(work: (toEnd: Closers) => Promise<Result>): Promise<Result> {
  const toEnd = closers();
  try {
    return await work(toEnd);
  } finally {
    await toEnd.closeAll();
  }
}
