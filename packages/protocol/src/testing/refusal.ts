/** A message for operators: three words or more. */
const SENTENCE = /^\S+(?: \S+){2,}$/;

/** An error that carries a stable reason. */
interface Refusal<Reason extends string> extends Error {
  readonly reason: Reason;
}

/**
 * Returns the reason of a refusal of a kind; `undefined` if the work was accepted.
 * @throws every other error, and TypeError for a refusal without a message for operators
 */
export function refusalReason<Reason extends string>(
  kind: abstract new (...args: never[]) => Refusal<Reason>,
  work: () => unknown,
): Reason | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof kind)) throw error;
    return explainedReason(error.reason, error.message);
  }
}

/** Returns a reason. @throws TypeError when it comes without a message for operators */
export function explainedReason<Reason extends string | undefined>(reason: Reason, message = ''): Reason {
  if (reason !== undefined && !SENTENCE.test(message))
    throw new TypeError(`${reason} comes without a sentence`);
  return reason;
}
