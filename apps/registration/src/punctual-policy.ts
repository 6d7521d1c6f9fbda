import type { RegistrationPolicy } from '@vestibule/clients';

/** How long a policy may take for one decision: twice what a request to the outside may. */
const DECISION_LIMIT_MS = 5_000;

/**
 * A policy that decides in time, or fails: requests wait 5 seconds for each decision. Nothing recalls what the policy
 * still does then; what it gives back or throws later counts for nothing.
 */
export function punctualPolicy(policy: RegistrationPolicy): RegistrationPolicy {
  return {
    defaults: (applicant) => policy.defaults?.(applicant) ?? {},
    judge: (request) => withinLimit(async () => policy.judge(request)),
  };
}

function withinLimit<ApiResponse>(decide: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('the registration policy took too long to decide'));
    const timer = setTimeout(giveUp, DECISION_LIMIT_MS);
    decide()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
