/** Result of posting a logout token: the response of the client, or the reason why there was none. */
export type PostResponse =
  | { readonly outcome: 'ok'; readonly status: number }
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      readonly status: number | undefined;
      readonly retryAfterSeconds: number | undefined;
    };

/**
 * Outcome of an attempt.
 *
 * - `delivered`: the client accepted the logout token
 * - `retry`: a later attempt may succeed
 * - `final`: no later attempt can succeed
 * - `released`: no result, for reasons on our side
 */
export type AttemptOutcome =
  | { readonly verdict: 'delivered'; readonly status: number }
  | (AttemptFailure & { readonly verdict: 'final' | 'released' })
  | (AttemptFailure & {
      readonly verdict: 'retry';
      /** `Retry-After` of the client. */
      readonly retryAfterSeconds?: number;
    });

/** Why an attempt failed. */
interface AttemptFailure {
  readonly error: string;
  /** The status of the client's response, if there was one. */
  readonly status?: number;
}

/** Statuses that mean accepted (OpenID Connect Back-Channel Logout 1.0 section 2.8). */
const ACCEPTED: readonly number[] = [200, 204];

const TOO_MANY_REQUESTS = 429;

/** Reasons that are permanent: the address may not be used, or the response is a redirect. */
const FINAL_REASONS: readonly string[] = ['blocked', 'redirect'];

/** Reasons that say nothing about the client. */
const OWN_REASONS: readonly string[] = ['aborted', 'overloaded'];

/**
 * Evaluates the result of a post. Possibly transient conditions are tried again: network faults, timeouts, 429 and 5xx. A
 * redirect does not come from a logout token receiver, so it is final like every other status.
 */
export function evaluateResponse(response: PostResponse): AttemptOutcome {
  if (response.outcome === 'ok') {
    const { status } = response;
    return ACCEPTED.includes(status)
      ? { verdict: 'delivered', status }
      : { verdict: 'final', status, error: 'status' };
  }
  const { reason, status, retryAfterSeconds } = response;
  const details = { error: reason, ...(status !== undefined && { status }) };
  if (OWN_REASONS.includes(reason)) return { verdict: 'released', ...details };
  if (FINAL_REASONS.includes(reason)) return { verdict: 'final', ...details };
  if (status !== undefined && !isTransient(status)) return { verdict: 'final', ...details };
  return { verdict: 'retry', ...details, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

function isTransient(status: number): boolean {
  return status === TOO_MANY_REQUESTS || (status >= 500 && status <= 599);
}
