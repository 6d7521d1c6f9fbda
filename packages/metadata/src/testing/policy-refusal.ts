import { PolicyFailure, type PolicyReason } from '../policy/policy-failure.js';

/** A sentence for operators: three words or more. */
const SENTENCE = /^\S+(?: \S+){2,}$/;

/**
 * Returns the reason of a refused policy; `undefined` if it was accepted.
 * @throws every other error, and TypeError for a refusal without a message for operators
 */
export function reasonOf(work: () => unknown): PolicyReason | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof PolicyFailure)) throw error;
    return toldFailure(error);
  }
}

/** Returns the reason of a failure. @throws TypeError when it has no message for operators */
export function toldFailure({ reason, message }: PolicyFailure): PolicyReason {
  if (!SENTENCE.test(message)) throw new TypeError(`${reason} comes without a sentence`);
  return reason;
}
