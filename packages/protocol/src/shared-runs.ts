/** Runs of one piece of work, of which one is under way at a time. */
export interface SharedRuns<Result> {
  /** A run that begins after this call: those who call while one is under way share the next one. */
  next(): Promise<Result>;
  /** The run under way; absent between runs. */
  readonly present: Promise<Result> | undefined;
}

/**
 * Lets callers share runs, none of which is older than the call. A run that fails fails for those who share it alone.
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
      // It stands between the end of a run and its own beginning too.
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
