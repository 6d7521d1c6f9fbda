export type { RateLimit, RateLimitOutcome, RateLimitStore } from './rate-limit-store.js';
export { type TokenBucketOptions, tokenBuckets } from './token-buckets.js';
