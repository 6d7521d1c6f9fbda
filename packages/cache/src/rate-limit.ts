/** How often something may happen. */
export interface RateLimit {
  /** Names the limit in keys: lower-case letters and hyphens. */
  readonly name: string;
  /** How often within a window. */
  readonly limit: number;
  /** How long a window lasts, in milliseconds. Windows begin at multiples of it, so two may pass their limit back to back. */
  readonly windowMs: number;
}

/** Whether something may happen. */
export type RateLimitOutcome =
  | { readonly outcome: 'within'; readonly remaining: number }
  /** For a `Retry-After`: whole seconds until the window ends, at least 1. */
  | { readonly outcome: 'exceeded'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'unavailable' };

/** Counts what happens, per limit and subject. */
export interface RateLimitStore {
  /**
   * Counts and judges in one step. Attempts beyond the limit count too.
   * @param subject who is limited; digested before it becomes part of a key
   * @param cost how much is counted, default 1; with 0 nothing is, and the outcome tells whether the limit was passed
   */
  count(limit: RateLimit, subject: string, cost?: number): Promise<RateLimitOutcome>;
}

/** The number of the window that an instant lies in. */
export function windowOf({ windowMs }: RateLimit, nowMs: number): number {
  return Math.floor(nowMs / windowMs);
}

/** What a count within the present window means. */
export function judge({ limit, windowMs }: RateLimit, count: number, nowMs: number): RateLimitOutcome {
  if (count <= limit) return { outcome: 'within', remaining: limit - count };
  const untilNextMs = windowMs - (nowMs % windowMs);
  return { outcome: 'exceeded', retryAfterSeconds: Math.ceil(untilNextMs / 1000) };
}

/** The shared counters, and those of this process whenever the shared ones are unavailable. */
export function withFallback(shared: RateLimitStore, own: RateLimitStore): RateLimitStore {
  return {
    count: async (limit, subject, cost) => {
      const outcome = await shared.count(limit, subject, cost);
      return outcome.outcome === 'unavailable' ? own.count(limit, subject, cost) : outcome;
    },
  };
}
