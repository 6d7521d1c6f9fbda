/** A rate limit. */
export interface RateLimit {
  /** Name of the limit in keys: lower-case letters and hyphens. */
  readonly name: string;
  readonly limit: number;
  /** Length of the window in milliseconds. */
  readonly windowMs: number;
}

/** Result of counting. */
export type RateLimitOutcome =
  | { readonly outcome: 'within'; readonly remaining: number }
  /** Whole seconds, at least 1. */
  | { readonly outcome: 'exceeded'; readonly retryAfterSeconds: number }
  /** The store cannot tell; another store may. */
  | { readonly outcome: 'unavailable' };

/** Counters by limit and subject, in one process or shared. */
export interface RateLimitStore {
  /** Counts once and decides, atomically. */
  count(limit: RateLimit, subject: string): Promise<RateLimitOutcome>;
  /** Returns what {@link count} would return, without counting. */
  peek(limit: RateLimit, subject: string): Promise<RateLimitOutcome>;
}
