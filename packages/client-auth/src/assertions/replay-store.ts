import type { EpochSeconds } from '@vestibule/protocol';

/**
 * Result of recording a use: the first one, a repeated one, or unknown because the store is unreachable, full or too
 * slow.
 */
export type ReplayOutcome = 'fresh' | 'replayed' | 'unavailable';

/** Records what may be used once, such as the `jti` of client assertions (RFC 7523 section 3). */
export interface ReplayStore {
  /**
   * Records a use. Of parallel calls with equal digests, in any number of processes, exactly one is `fresh`. Ends
   * within a bounded time and never rejects: any failure is `unavailable`.
   * @param digest 32 bytes that identify the use
   * @param keepUntil the record must be kept until this time
   */
  recordUse(digest: Uint8Array, keepUntil: EpochSeconds): Promise<ReplayOutcome>;
}

/**
 * Combines several stores, the fastest first. A use is refused by the first store that knows it, and fresh if none
 * knows it and at least one recorded it. Every reachable store records every accepted use, so losing one of them at any
 * time permits no second use.
 */
export function layeredReplayStore(stores: readonly ReplayStore[]): ReplayStore {
  return {
    recordUse: async (digest, keepUntil) => {
      let outcome: ReplayOutcome = 'unavailable';
      // One after the other: of parallel uses the first store accepts one, so only that one reaches the next.
      for (const store of stores) {
        const found = await store.recordUse(digest, keepUntil);
        if (found === 'replayed') return found;
        if (found === 'fresh') outcome = found;
      }
      return outcome;
    },
  };
}
