import { explainedReason, refusalReason } from '@vestibule/protocol/testing';
import { FederationFailure, type FederationReason } from '../federation-failure.js';

/** Returns the reason of a refusal, which must have a message for operators; `undefined` for what was accepted. */
export const reasonOf = (work: () => unknown): FederationReason | undefined =>
  refusalReason(FederationFailure, work);

/**
 * Returns the reason of a failure.
 * @throws TypeError if it has no message for operators
 */
export const failureReason = ({ reason, message }: FederationFailure): FederationReason =>
  explainedReason(reason, message);

/**
 * Returns the reason in a report or an explanation.
 * @throws TypeError if it has no message for operators
 */
export const reportedReason = ({ reason, detail }: ReportedOutcome): FederationReason | undefined =>
  explainedReason(reason, detail);

interface ReportedOutcome {
  readonly reason?: FederationReason;
  readonly detail?: string;
}
