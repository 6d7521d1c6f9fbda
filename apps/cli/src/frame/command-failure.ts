import { EXIT, type ExitCode } from './exit-code.js';

/** A command cannot do what was asked. The message is one sentence for the person who typed it, without a secret. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.exitCode = exitCode;
  }
}

/** What was named does not exist. */
export function notFound(sentence: string): CommandFailure {
  return new CommandFailure(EXIT.notFound, sentence);
}

/** What was named does not allow it as it is. */
export function conflict(sentence: string): CommandFailure {
  return new CommandFailure(EXIT.conflict, sentence);
}

/** It cannot be done. */
export function failed(sentence: string, cause?: unknown): CommandFailure {
  return new CommandFailure(EXIT.failed, sentence, cause === undefined ? {} : { cause });
}

/** The arguments do not make sense together. */
export function misused(sentence: string): CommandFailure {
  return new CommandFailure(EXIT.usage, sentence);
}
