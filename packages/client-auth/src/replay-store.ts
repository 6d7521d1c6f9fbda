import type { EpochSeconds } from '@vestibule/protocol';

/**
 * What became of recording a use: it is the first one, there was one before, or the store cannot say, because it cannot
 * be reached, is full or does not answer in time.
 */
export type ReplayOutcome = 'fresh' | 'replayed' | 'unavailable';

/** Remembers what may be used once, such as the `jti` of client assertions (RFC 7523 section 3). */
export interface ReplayStore {
  /**
   * Records a use. Of any number of parallel calls with equal digests, in any number of processes, exactly one is
   * `fresh`. Ends within a bounded time and never rejects: what goes wrong is `unavailable`.
   * @param digest 32 bytes that stand for what is used
   * @param keepUntil the record must not be forgotten before this second
   */
  recordUse(digest: Uint8Array, keepUntil: EpochSeconds): Promise<ReplayOutcome>;
}

/**
 * One store over several, the fastest first. A use is refused by the first store that knows it, and fresh when none
 * knows it and at least one could record it. Since every store that can be reached records every accepted use, losing
 * one of them, at whatever moment, lets nothing be used twice.
 */
export function layeredReplayStore(stores: readonly ReplayStore[]): ReplayStore {
  return {
    recordUse: async (digest, keepUntil) => {
      let outcome: ReplayOutcome = 'unavailable';
      // One after the other: of parallel uses the first store lets one pass, so that a single one reaches the next.
      for (const store of stores) {
        const found = await store.recordUse(digest, keepUntil);
        if (found === 'replayed') return found;
        if (found === 'fresh') outcome = found;
      }
      return outcome;
    },
  };
}
