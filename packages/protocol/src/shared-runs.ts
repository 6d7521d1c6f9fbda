/** Runs of a task, at most one at a time. */
export interface SharedRuns<Result> {
  /** Returns a run that starts after this call. Calls during a run share the next one. */
  next(): Promise<Result>;
  /** The current run; absent between runs. */
  readonly present: Promise<Result> | undefined;
}

/**
 * Shares runs of a task among callers, none of which gets a run that started before its call. A failed run rejects only
 * for its callers.
 */
export function sharedRuns<Result>(run: () => Promise<Result>): SharedRuns<Result> {
  let present: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const begin = (): Promise<Result> => {
    next = undefined;
    present = run().finally(() => {
      present = undefined;
    });
    return present;
  };
  return {
    next: () => {
      // Also set between the end of a run and the start of the next one.
      if (next !== undefined) return next;
      if (present === undefined) return begin();
      next = present.then(begin, begin);
      return next;
    },
    get present() {
      return present;
    },
  };
}
