import { FederationFailure, type FederationReason } from '../federation-failure.js';

/** A fixed sentence for operators: three words or more. */
const SENTENCE = /^\S+(?: \S+){2,}$/;

/**
 * Why something was refused; `undefined` for what was accepted.
 * @throws whatever is no refusal, and TypeError for a refusal that tells operators nothing
 */
export function reasonOf(work: () => unknown): FederationReason | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error;
    return toldFailure(error);
  }
}

/** The reason of a failure. @throws TypeError when it comes without a sentence for operators */
export function toldFailure({ reason, message }: FederationFailure): FederationReason {
  toldReason({ reason, detail: message });
  return reason;
}

/** The reason in a report or an explanation. @throws TypeError when it comes without a sentence for operators */
export function toldReason({ reason, detail }: ToldReason): FederationReason | undefined {
  if (reason !== undefined && !SENTENCE.test(detail ?? ''))
    throw new TypeError(`${reason} comes without a sentence`);
  return reason;
}

interface ToldReason {
  readonly reason?: FederationReason;
  readonly detail?: string;
}
