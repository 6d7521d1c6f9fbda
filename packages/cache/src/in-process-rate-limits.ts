import type { Clock } from '@vestibule/protocol';
import { judge, type RateLimitStore, windowOf } from './rate-limit.js';

/** What the counters of one process are made of. */
export interface InProcessRateLimitOptions {
  readonly clock: Clock;
  /** How many counters are kept; the one that was begun first gives way. Default 10,000. */
  readonly maxCounters?: number;
}

const MAX_COUNTERS = 10_000;

/** Counters of this process alone, in bounded memory. Never `unavailable`. */
export function inProcessRateLimits({
  clock,
  maxCounters = MAX_COUNTERS,
}: InProcessRateLimitOptions): RateLimitStore {
  const counters = new Map<string, { readonly window: number; readonly count: number }>();
  return {
    count: async (limit, subject, cost = 1) => {
      const nowMs = clock.nowMs();
      const window = windowOf(limit, nowMs);
      const key = `${limit.name}:${subject}`;
      const known = counters.get(key);
      const isCurrent = known?.window === window;
      if (!isCurrent) makeRoom(counters, key, maxCounters);
      const count = (isCurrent ? known.count : 0) + cost;
      counters.set(key, { window, count });
      return judge(limit, count, nowMs);
    },
  };
}

/** Removes the key, so that it is set anew as the latest, and the oldest one where there is no other room. */
function makeRoom(counters: Map<string, unknown>, key: string, maxCounters: number): void {
  counters.delete(key);
  const [oldest] = counters.keys();
  if (counters.size >= maxCounters && oldest !== undefined) counters.delete(oldest);
}
