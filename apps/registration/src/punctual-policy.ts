import type { RegistrationPolicy } from '@vestibule/clients/policy';

/** Time limit of one decision: twice the timeout of an outbound request. */
const DECISION_LIMIT_MS = 5_000;

/**
 * Wraps a policy with a time limit of 5 seconds per decision. A policy that exceeds it is not cancelled, but its result
 * is ignored.
 */
export function punctualPolicy(policy: RegistrationPolicy): RegistrationPolicy {
  return {
    defaults: (subject) => policy.defaults?.(subject) ?? {},
    judge: (request) => withinLimit(async () => policy.judge(request)),
  };
}

function withinLimit<Decision>(decide: () => Promise<Decision>): Promise<Decision> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('the registration policy took too long to decide'));
    const timer = setTimeout(giveUp, DECISION_LIMIT_MS);
    decide()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
