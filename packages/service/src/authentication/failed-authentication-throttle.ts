import { systemClock } from '@vestibule/protocol';
import { type RateLimitStore, tokenBuckets } from '@vestibule/protocol/rate-limits';

/** Slows down clients that guess credentials (RFC 6749 section 2.3.1). */
export interface FailedAuthenticationThrottle {
  /** Counts a failed authentication and resolves when its response may be sent. */
  release(): Promise<void>;
}

/** Dependencies of a throttle. */
export interface FailedAuthenticationThrottleOptions {
  readonly store: RateLimitStore;
  readonly scheduler: {
    /** Runs a function after a delay in milliseconds. */
    readonly after: (delayMs: number, run: () => void) => unknown;
  };
  /** Responses per minute that are sent without delay; also the maximum burst. */
  readonly perMinute: number;
  /** An unpredictable number from 0 up to 1. */
  readonly random: () => number;
}

const MINUTE_MS = 60_000;
const MIN_DELAY_MS = 500;
/** Random spread of the delay, so that clients which failed at the same time do not retry at the same time. */
const DELAY_SPREAD_MS = 1_000;
/** All clients share one limit: the delay reveals nothing about a client, and changing names does not help. */
const SUBJECT = 'everybody';

/**
 * Creates the throttle of a process. It locks no client out: every credential is checked, and the response to a correct
 * one is never delayed. Only responses to failures are delayed, each by 0.5 to 1.5 seconds. A connection with only
 * failures gets about one response per second, or as many as a server processes at a time if they are pipelined.
 */
export function failedAuthenticationThrottle({
  store,
  scheduler,
  perMinute,
  random,
}: FailedAuthenticationThrottleOptions): FailedAuthenticationThrottle {
  const limit = { name: 'refused-callers', limit: perMinute, windowMs: MINUTE_MS };
  return {
    release: async () => {
      const { outcome } = await store.count(limit, SUBJECT);
      if (outcome !== 'exceeded') return;
      const delayMs = MIN_DELAY_MS + Math.floor(random() * DELAY_SPREAD_MS);
      await new Promise<void>((resolve) => scheduler.after(delayMs, resolve));
    },
  };
}

/** Creates the throttle of a service from its settings; `undefined` if rate limits are off or the number is 0. */
export function openFailedAuthenticationThrottle(
  isEnabled: boolean,
  perMinute: number,
): FailedAuthenticationThrottle | undefined {
  if (!isEnabled || perMinute === 0) return undefined;
  return failedAuthenticationThrottle({
    store: tokenBuckets({ clock: systemClock }),
    scheduler: { after: (delayMs, run) => setTimeout(run, delayMs) },
    perMinute,
    random: Math.random,
  });
}
