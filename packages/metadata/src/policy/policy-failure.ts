/** Why a metadata policy was refused, or why metadata does not follow it; stable, for logs and explanations. */
export type PolicyReason =
  /** A policy is malformed, or combines operators that must not be combined. */
  | 'policy_malformed'
  /** Two policies cannot be merged. */
  | 'policy_conflict'
  /** The metadata does not comply with the policy. */
  | 'policy_violation';

/** A refusal by a metadata policy. The message is a fixed English sentence that names members and repeats no value. */
export class PolicyFailure extends Error {
  override readonly name = 'PolicyFailure';
  readonly reason: PolicyReason;

  constructor(reason: PolicyReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
