/** Exit codes of commands. */
export const EXIT = {
  /** Success, or the check passed. */
  done: 0,
  /** Failure, or the check did not pass. */
  failed: 1,
  /** Usage error: invalid arguments or settings; nothing was done. */
  usage: 2,
  /** A given object does not exist. */
  notFound: 3,
  /** The state of an object does not allow the command; nothing was changed. */
  conflict: 4,
} as const;

/** An exit code. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
