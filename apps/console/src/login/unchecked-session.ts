/** It cannot be known whether a session has ended: the store or its keys are unavailable. */
export class UncheckedSessionError extends Error {
  override readonly name = 'UncheckedSessionError';

  constructor(cause: unknown) {
    super('it is unknown whether the session has ended', { cause });
  }
}
