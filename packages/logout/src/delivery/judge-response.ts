/** What came of sending a logout token: the answer of the client, or why there was none. */
export type PostResponse =
  | { readonly outcome: 'ok'; readonly status: number }
  | {
      readonly outcome: 'failed';
      readonly reason: string;
      readonly status: number | undefined;
      readonly retryAfterSeconds: number | undefined;
    };

/**
 * What an attempt came to.
 *
 * - `delivered`: the client took the logout token
 * - `retry`: there may be another outcome later
 * - `final`: there will not be
 * - `released`: nothing can be said, for reasons of our own
 */
export interface AttemptOutcome {
  readonly verdict: 'delivered' | 'retry' | 'final' | 'released';
  readonly status?: number;
  readonly error?: string;
  /** What the client asked for. */
  readonly retryAfterSeconds?: number;
}

/** Answers that say that it was taken (OpenID Connect Back-Channel Logout 1.0 section 2.8). */
const TAKEN: readonly number[] = [200, 204];

const TOO_MANY_REQUESTS = 429;

/** Reasons that no waiting mends: the address may not be used, or its answer is no answer to a notification. */
const FINAL_REASONS: readonly string[] = ['blocked', 'redirect'];

/** Reasons that say nothing about the client. */
const OWN_REASONS: readonly string[] = ['aborted', 'overloaded'];

/**
 * Judges an answer. Whatever may be a passing condition is tried again: faults of the network, timeouts, 429 and 5xx. A
 * redirect is an answer by someone who does not understand logout tokens, so it is final as every other status is.
 */
export function judgeResponse(answer: PostResponse): AttemptOutcome {
  if (answer.outcome === 'ok') {
    const { status } = answer;
    return TAKEN.includes(status)
      ? { verdict: 'delivered', status }
      : { verdict: 'final', status, error: 'status' };
  }
  const { reason, status, retryAfterSeconds } = answer;
  const facts = { error: reason, ...(status !== undefined && { status }) };
  if (OWN_REASONS.includes(reason)) return { verdict: 'released', ...facts };
  if (FINAL_REASONS.includes(reason)) return { verdict: 'final', ...facts };
  if (status !== undefined && !isPassing(status)) return { verdict: 'final', ...facts };
  return { verdict: 'retry', ...facts, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

function isPassing(status: number): boolean {
  return status === TOO_MANY_REQUESTS || (status >= 500 && status <= 599);
}
