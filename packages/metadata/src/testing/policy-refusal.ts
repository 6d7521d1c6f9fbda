import { PolicyFailure, type PolicyReason } from '../policy/policy-failure.js';

/** A fixed sentence for operators: three words or more. */
const SENTENCE = /^\S+(?: \S+){2,}$/;

/**
 * The reason of a refused policy; `undefined` for an accepted one.
 * @throws every other error, and TypeError for a refusal without a sentence for operators
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

/** The reason of a failure. @throws TypeError when it comes without a sentence for operators */
export function toldFailure({ reason, message }: PolicyFailure): PolicyReason {
  if (!SENTENCE.test(message)) throw new TypeError(`${reason} comes without a sentence`);
  return reason;
}
