import type { RateLimitStore } from '@vestibule/clients';
import { type ClientId, type Clock, ThrottledError } from '@vestibule/protocol';

/** How many inactive answers a caller gets: who fishes for tokens gets little else (RFC 7662 section 4). */
export interface InactiveResponseRateLimit {
  /** @throws ThrottledError while the caller has used up its budget */
  admit(caller: ClientId): void;
  /** Counts an inactive response. @throws ThrottledError in its place when it is one too many */
  spend(caller: ClientId): Promise<void>;
}

/** What the budget is made of. */
export interface InactiveResponseRateLimitOptions {
  readonly clock: Clock;
  readonly store: RateLimitStore;
  /** Inactive answers that come back to a caller in a minute, which are also the most at once. */
  readonly perMinute: number;
}

const MINUTE_MS = 60_000;
/** How many callers that used theirs up are remembered. */
const MAX_CALLERS = 10_000;

/** A budget for each caller; callers do not feel each other. */
export function inactiveResponseRateLimit({
  clock,
  store,
  perMinute,
}: InactiveResponseRateLimitOptions): InactiveResponseRateLimit {
  const limit = { name: 'inactive-answers', limit: perMinute, windowMs: MINUTE_MS };
  const untilMs = new Map<ClientId, number>();
  return {
    admit: (caller) => {
      const waitMs = (untilMs.get(caller) ?? 0) - clock.nowMs();
      if (waitMs > 0) throw new ThrottledError(waitMs / 1000, 'too many inactive responses');
      untilMs.delete(caller);
    },
    spend: async (caller) => {
      const outcome = await store.count(limit, caller);
      if (outcome.outcome !== 'exceeded') return;
      if (untilMs.size >= MAX_CALLERS) untilMs.clear();
      untilMs.set(caller, clock.nowMs() + outcome.retryAfterSeconds * 1000);
      throw new ThrottledError(outcome.retryAfterSeconds, 'too many inactive responses');
    },
  };
}
