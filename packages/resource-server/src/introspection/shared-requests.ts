import type { MonotonicClock } from '@vestibule/protocol/runtime';

/** Requests that wait or are on their way, by key. */
export interface SharedRequests<Result> {
  /**
   * Starts a request, or shares one with the same key that waits to be sent or was sent a moment ago.
   * @param start starts a request, which calls `sent` when it is sent
   */
  run(key: string, start: (sent: () => void) => Promise<Result>): Promise<Result>;
  /** Number of requests that may be shared. */
  readonly size: number;
}

/**
 * How long a request may be shared after it was sent, in milliseconds. A later caller starts another one: its result must
 * not be older than the caller, by more than a revocation may take to arrive anyway.
 */
const SHARED_MS = 250;

interface SharedRequest<Result> {
  readonly isShareable: () => boolean;
  readonly result: Promise<Result>;
}

/** Creates the requests of one resource server. */
export function sharedRequests<Result>(monotonic: MonotonicClock): SharedRequests<Result> {
  const requests = new Map<string, SharedRequest<Result>>();
  return {
    run: (key, start) => {
      const shared = requests.get(key);
      if (shared?.isShareable()) return shared.result;
      let sentAtMs: number | undefined;
      const result = start(() => {
        sentAtMs = monotonic();
      }).finally(() => {
        if (requests.get(key)?.result === result) requests.delete(key);
      });
      // Every caller shares a request that waits, so a key has one waiting place at most.
      const isShareable = () => sentAtMs === undefined || monotonic() - sentAtMs < SHARED_MS;
      requests.set(key, { isShareable, result });
      return result;
    },
    get size() {
      return requests.size;
    },
  };
}
