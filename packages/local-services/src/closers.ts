/** What has to be ended, the last one first. */
export interface Closers {
  add(close: () => Promise<void>): void;
  /** Ends everything once, whatever fails; the first failure is thrown in the end. */
  closeAll(): Promise<void>;
}

/** Nothing to end yet. */
export function closers(): Closers {
  const open: (() => Promise<void>)[] = [];
  return {
    add: (close) => {
      open.push(close);
    },
    closeAll: async () => {
      const failures: unknown[] = [];
      for (let close = open.pop(); close !== undefined; close = open.pop()) {
        await close().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
