import { type Clock, DomainError } from '@vestibule/protocol';
import type { KeySetFetcher } from './key-set-fetcher.js';
import type { PublicJwkSet } from './public-jwk-set.js';

/** Dependencies of the key set of one URL. Times are milliseconds. */
export interface RemoteKeySetOptions {
  readonly fetch: KeySetFetcher;
  readonly clock: Clock;
  /** How long a fetched set is used without fetching it again. */
  readonly freshMs: number;
  /** How long a fetched set may be used at most, if no later one is available. */
  readonly usableMs: number;
  /** Minimum time between two fetches, failed ones included. */
  readonly intervalMs: number;
}

/** The key set of one URL. */
export interface RemoteKeySet {
  /**
   * Returns the newest available set; `undefined` if there is none. A set that is not good enough is fetched again,
   * unless that was just tried. Rejects if the fetch does. If there was no capacity for the fetch, a good enough set is
   * used, and the next caller tries again.
   */
  get(isGoodEnough: (keySet: PublicJwkSet) => boolean): Promise<PublicJwkSet | undefined>;
}

/** Holds the key set of one URL. Parallel callers share a fetch. */
export function createRemoteKeySet(address: string, options: RemoteKeySetOptions): RemoteKeySet {
  const { fetch, clock, freshMs, usableMs, intervalMs } = options;
  let held: { readonly keySet: PublicJwkSet; readonly atMs: number } | undefined;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  /** If the clock was put back, a time can be in the future: treat it as past. */
  const isWithin = (ms: number, sinceMs: number) => {
    const elapsedMs = clock.nowMs() - sinceMs;
    return elapsedMs >= 0 && elapsedMs < ms;
  };
  const heldFor = (ms: number) => (held !== undefined && isWithin(ms, held.atMs) ? held.keySet : undefined);
  const fetchOnce = async () => {
    const keySet = await fetch(address).catch((error: unknown) => {
      if (isOverload(error)) fetchedAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    });
    if (keySet !== undefined) held = { keySet, atMs: clock.nowMs() };
  };
  const fetchUnlessJustTried = async () => {
    if (fetching === undefined) {
      if (isWithin(intervalMs, fetchedAtMs)) return;
      fetchedAtMs = clock.nowMs();
      fetching = fetchOnce().finally(() => {
        fetching = undefined;
      });
    }
    await fetching;
  };
  return {
    get: async (isGoodEnough) => {
      const fresh = heldFor(freshMs);
      if (fresh !== undefined && isGoodEnough(fresh)) return fresh;
      try {
        await fetchUnlessJustTried();
      } catch (error) {
        const kept = heldFor(usableMs);
        if (!isOverload(error) || kept === undefined || !isGoodEnough(kept)) throw error;
      }
      const usable = heldFor(usableMs);
      if (usable === undefined) held = undefined;
      return usable;
    },
  };
}

/** Whether the fetch was not attempted for lack of capacity. */
function isOverload(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'too_many_requests';
}
