import { type ClientId, type Clock, ThrottledError } from '@vestibule/protocol';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { InactiveReason } from '../inactive-reason.js';

/** Limits the inactive responses of each caller, against token scanning (RFC 7662 section 4). */
export interface InactiveResponseRateLimit {
  /** Admits a request. @throws ThrottledError while the caller is beyond its limit */
  admit(caller: ClientId): void;
  /**
   * Counts an inactive response that may be a guess at a token. Returns `undefined` for all others. Rejects with a
   * ThrottledError when the response exceeds the limit; it must not be sent then.
   */
  consume(caller: ClientId, reason: InactiveReason): Promise<void> | undefined;
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
    isExpired: (endMs) => clock.nowMs() >= endMs,
  });
  const count = async (caller: ClientId): Promise<void> => {
    const outcome = await store.count(limit, caller);
    if (outcome.outcome !== 'exceeded') return;
    untilMs.set(caller, clock.nowMs() + outcome.retryAfterSeconds * 1000);
    throw new ThrottledError(outcome.retryAfterSeconds, 'too many inactive responses');
  };
  return {
    admit: (caller) => {
      const endMs = untilMs.get(caller);
      if (endMs !== undefined)
        throw new ThrottledError((endMs - clock.nowMs()) / 1000, 'too many inactive responses');
    },
    consume: (caller, reason) => (NO_GUESSES.has(reason) ? undefined : count(caller)),
  };
}

/**
 * Reasons of inactive responses that are no guesses at a token. Text that cannot be a token does not find one, and a
 * token that ended needs no guessing: resource servers introspect whatever their clients send.
 */
const NO_GUESSES: ReadonlySet<InactiveReason> = new Set([
  'malformed',
  'expired',
  'revoked',
  'client_expired',
  'not_yet_valid',
]);
