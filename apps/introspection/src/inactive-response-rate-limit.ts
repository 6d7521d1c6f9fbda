import { type ClientId, type Clock, ThrottledError } from '@vestibule/protocol';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';
import { boundedMap } from '@vestibule/protocol/runtime';

/** Limits the inactive responses of each caller, against token scanning (RFC 7662 section 4). */
export interface InactiveResponseRateLimit {
  /** Admits a request. @throws ThrottledError while the caller is beyond its limit */
  admit(caller: ClientId): void;
  /**
   * Counts an inactive response. @throws ThrottledError when the response exceeds the limit; it must not be sent then
   */
  spend(caller: ClientId): Promise<void>;
}

/** Options of the rate limit. */
export interface InactiveResponseRateLimitOptions {
  readonly clock: Clock;
  readonly store: RateLimitStore;
  /** Inactive responses that each caller may get per minute, which is also the largest burst. */
  readonly perMinute: number;
}

const MINUTE_MS = 60_000;
/** Callers beyond their limit that are held in memory. */
const MAX_CALLERS = 10_000;

/** Creates a rate limit that counts every caller on its own. */
export function inactiveResponseRateLimit({
  clock,
  store,
  perMinute,
}: InactiveResponseRateLimitOptions): InactiveResponseRateLimit {
  const limit = { name: 'inactive-responses', limit: perMinute, windowMs: MINUTE_MS };
  const untilMs = boundedMap<ClientId, number>({
    maxEntries: MAX_CALLERS,
    isOver: (endMs) => clock.nowMs() >= endMs,
  });
  return {
    admit: (caller) => {
      const endMs = untilMs.get(caller);
      if (endMs !== undefined)
        throw new ThrottledError((endMs - clock.nowMs()) / 1000, 'too many inactive responses');
    },
    spend: async (caller) => {
      const outcome = await store.count(limit, caller);
      if (outcome.outcome !== 'exceeded') return;
      untilMs.set(caller, clock.nowMs() + outcome.retryAfterSeconds * 1000);
      throw new ThrottledError(outcome.retryAfterSeconds, 'too many inactive responses');
    },
  };
}
