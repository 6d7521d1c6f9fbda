import type { Clock } from '../clock.js';
import { boundedMap } from '../runtime/bounded-map.js';
import type { RateLimit, RateLimitOutcome, RateLimitStore } from './rate-limit-store.js';

/** Options of the token buckets. */
export interface TokenBucketOptions {
  readonly clock: Clock;
  /** Maximum number of buckets. The least recently used one is evicted, and so is full again. Default: 10,000. */
  readonly maxBuckets?: number;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

const MAX_BUCKETS = 10_000;

/**
 * Token buckets in the memory of this process, of bounded size. Each holds as many tokens as its limit, refilled evenly
 * over the window. A request that finds its bucket empty takes nothing. Never `unavailable`.
 */
export function tokenBuckets({ clock, maxBuckets = MAX_BUCKETS }: TokenBucketOptions): RateLimitStore {
  const buckets = boundedMap<string, Bucket>({ maxEntries: maxBuckets });
  const keyOf = ({ name }: RateLimit, subject: string) => `${name}:${subject}`;
  return {
    peek: async (limit, subject) =>
      evaluate(limit, refilled(limit, buckets.get(keyOf(limit, subject)), clock.nowMs())),
    count: async (limit, subject) => {
      const key = keyOf(limit, subject);
      const nowMs = clock.nowMs();
      const tokens = refilled(limit, buckets.get(key), nowMs);
      const outcome = evaluate(limit, tokens);
      buckets.set(key, { tokens: outcome.outcome === 'within' ? tokens - 1 : tokens, atMs: nowMs });
      return outcome;
    },
  };
}

/** A clock that goes back neither adds nor removes tokens. */
function refilled({ limit, windowMs }: RateLimit, bucket: Bucket | undefined, nowMs: number): number {
  if (bucket === undefined) return limit;
  const elapsedMs = Math.max(0, nowMs - bucket.atMs);
  return Math.min(limit, bucket.tokens + (elapsedMs * limit) / windowMs);
}

function evaluate({ limit, windowMs }: RateLimit, tokens: number): RateLimitOutcome {
  if (tokens >= 1) return { outcome: 'within', remaining: Math.floor(tokens - 1) };
  const waitMs = limit === 0 ? windowMs : ((1 - tokens) * windowMs) / limit;
  return { outcome: 'exceeded', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}
