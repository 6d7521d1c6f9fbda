/** Closes resources in reverse order. */
export interface Closers {
  /** A resource that is added after `closeAll`, by a start that took too long, is closed immediately. */
  add(close: () => Promise<void>): void;
  /** Closes everything once, despite failures; then throws the first failure. */
  closeAll(): Promise<void>;
}

/** Creates an empty list. */
export function closers(): Closers {
  const open: (() => Promise<void>)[] = [];
  let isOver = false;
  return {
    add: (close) => {
      // No caller is left to report a failure to.
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

/** Runs some work and closes what it opened, whether it succeeds or fails. */
export async function closing<Result>(work: (toEnd: Closers) => Promise<Result>): Promise<Result> {
  const toEnd = closers();
  try {
    return await work(toEnd);
  } finally {
    await toEnd.closeAll();
  }
}
