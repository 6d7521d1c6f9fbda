/** How a command ended, for scripts. */
export const EXIT = {
  /** It is done, or what was looked at is well. */
  done: 0,
  /** It failed, or what was looked at is not well. */
  failed: 1,
  /** It was not understood: the arguments or the settings are wrong, and nothing was done. */
  usage: 2,
  /** What was named does not exist. */
  notFound: 3,
  /** What was named exists and does not allow it as it is; nothing was changed. */
  conflict: 4,
} as const;

/** One of the codes that a command ends with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
