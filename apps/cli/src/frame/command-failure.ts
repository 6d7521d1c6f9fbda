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
  /** A plan found changes to make; nothing was changed. */
  differs: 5,
} as const;

/** An exit code. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command failed. The message is one sentence for the user, without secrets. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.exitCode = exitCode;
  }
}

/** A given object does not exist. */
export function notFound(sentence: string): CommandFailure {
  return new CommandFailure(EXIT.notFound, sentence);
}

/** The state of an object does not allow the command. */
export function conflict(sentence: string): CommandFailure {
  return new CommandFailure(EXIT.conflict, sentence);
}

/** The command failed. */
export function failed(sentence: string, cause?: unknown): CommandFailure {
  return new CommandFailure(EXIT.failed, sentence, cause === undefined ? {} : { cause });
}

/** The arguments are invalid. */
export function misused(sentence: string): CommandFailure {
  return new CommandFailure(EXIT.usage, sentence);
}
