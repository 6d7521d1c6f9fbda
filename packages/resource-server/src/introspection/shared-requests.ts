import type { MonotonicClock } from '@vestibule/protocol/runtime';

/** Requests on their way, by key. */
export interface SharedRequests<Result> {
  /** Starts a request, or shares one with the same key that was started a moment ago. */
  run(key: string, start: () => Promise<Result>): Promise<Result>;
  /** Number of requests on their way that may be shared. */
  readonly size: number;
}

/**
 * How long a request may be shared after its start, in milliseconds. A later caller starts another one: its result must
 * not be older than the caller, by more than a revocation may take to arrive anyway.
 */
const SHARED_MS = 250;

/** Creates the requests of one resource server. */
export function sharedRequests<Result>(monotonic: MonotonicClock): SharedRequests<Result> {
  const running = new Map<string, { readonly startedAtMs: number; readonly result: Promise<Result> }>();
  return {
    run: (key, start) => {
      const startedAtMs = monotonic();
      const shared = running.get(key);
      if (shared !== undefined && startedAtMs - shared.startedAtMs < SHARED_MS) return shared.result;
      const result = start().finally(() => {
        if (running.get(key)?.result === result) running.delete(key);
      });
      running.set(key, { startedAtMs, result });
      return result;
    },
    get size() {
      return running.size;
    },
  };
}
