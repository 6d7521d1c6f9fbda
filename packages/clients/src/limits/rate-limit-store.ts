/** How often something may happen. */
export interface RateLimit {
  /** Names the limit in keys: lower-case letters and hyphens. */
  readonly name: string;
  readonly limit: number;
  /** The time in which it may happen so often, in milliseconds. */
  readonly windowMs: number;
}

/** Whether something may happen. */
export type RateLimitOutcome =
  | { readonly outcome: 'within'; readonly remaining: number }
  /** Whole seconds, at least 1. */
  | { readonly outcome: 'exceeded'; readonly retryAfterSeconds: number }
  /** Nobody knows; another store may. */
  | { readonly outcome: 'unavailable' };

/** Counts what happens, per limit and subject: in one process, or shared by all. */
export interface RateLimitStore {
  /** Counts once and judges in one step. */
  count(limit: RateLimit, subject: string): Promise<RateLimitOutcome>;
  /** What {@link count} would say now; counts nothing. */
  peek(limit: RateLimit, subject: string): Promise<RateLimitOutcome>;
}
