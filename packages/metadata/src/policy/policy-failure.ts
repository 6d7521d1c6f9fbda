/** Why a metadata policy was refused, or why metadata violate it; stable, for logs and explanations. */
export type PolicyReason =
  /** A policy is malformed, or combines operators that must not be combined. */
  | 'policy_malformed'
  /** Two policies cannot be merged. */
  | 'policy_conflict'
  /** The metadata violate the policy. */
  | 'policy_violation';

/** An error about a metadata policy. The message is a fixed English sentence that names members and quotes no value. */
export class PolicyFailure extends Error {
  override readonly name = 'PolicyFailure';
  readonly reason: PolicyReason;
  /** The parameter that the refusal is about, as the policy writes it; absent when it is about none. */
  readonly parameter: string | undefined;

  constructor(reason: PolicyReason, detail: string, parameter?: string) {
    super(detail);
    this.reason = reason;
    this.parameter = parameter;
  }
}

/** What `run` returns; its refusals name the parameter that they are about. */
export function ofParameter<Result>(parameter: string, run: () => Result): Result {
  try {
    return run();
  } catch (failure) {
    if (!(failure instanceof PolicyFailure)) throw failure;
    throw new PolicyFailure(failure.reason, failure.message, parameter);
  }
}
