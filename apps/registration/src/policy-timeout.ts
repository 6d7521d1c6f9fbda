import type { PolicyRequest, RegistrationPolicy } from '@vestibule/clients/policy';
import { nodeScheduler, withinDeadline } from '@vestibule/protocol/runtime';

/** Deadline of one decision: twice the timeout of an outbound request. */
const DEADLINE = { scheduler: nodeScheduler, limitMs: 5_000 };

/**
 * Wraps a policy with a time limit of 5 seconds per decision. A policy that exceeds it is not cancelled, but its result
 * is ignored.
 */
export function policyWithTimeout(policy: RegistrationPolicy): RegistrationPolicy {
  return {
    defaults: (subject) => policy.defaults?.(subject) ?? {},
    evaluate: (request) => withinDeadline(evaluated(policy, request), DEADLINE, tooLong),
  };
}

/** A policy may throw or return its decision at once. */
async function evaluated(policy: RegistrationPolicy, request: PolicyRequest) {
  return policy.evaluate(request);
}

function tooLong(): Error {
  return new Error('the registration policy took too long to decide');
}
