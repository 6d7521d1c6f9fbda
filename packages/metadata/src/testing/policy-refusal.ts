import { explainedReason, refusalReason } from '@vestibule/protocol/testing';
import { PolicyFailure, type PolicyReason } from '../policy/policy-failure.js';

/** Returns the reason of a refused policy, which must have a message for operators; `undefined` if it was accepted. */
export const reasonOf = (work: () => unknown): PolicyReason | undefined => refusalReason(PolicyFailure, work);

/** Returns the reason of a failure. @throws TypeError when it has no message for operators */
export const failureReason = ({ reason, message }: PolicyFailure): PolicyReason =>
  explainedReason(reason, message);
