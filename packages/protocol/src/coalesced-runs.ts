/** Runs of a task, at most one at a time. */
export interface CoalescedRuns<Result> {
  /** Returns a run that starts after this call. Calls during a run share the next one. */
  next(): Promise<Result>;
  /** The current run; absent between runs. */
  readonly current: Promise<Result> | undefined;
}

/**
 * Shares runs of a task among callers, none of which gets a run that started before its call. A failed run rejects only
 * for its callers.
 */
export function coalescedRuns<Result>(run: () => Promise<Result>): CoalescedRuns<Result> {
  let current: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    next = undefined;
    current = run().finally(() => {
      current = undefined;
    });
    return current;
  };
  return {
    next: () => {
      // Also set between the end of a run and the start of the next one.
      if (next !== undefined) return next;
      if (current === undefined) return begin();
      next = current.then(begin, begin);
      return next;
    },
    get current() {
      return current;
    },
  };
}
