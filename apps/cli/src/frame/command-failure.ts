import { EXIT, type ExitCode } from './exit-code.js';

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
