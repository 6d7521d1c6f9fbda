import { type Clock, type EpochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';

/** Records used DPoP proofs. Instances of one API share a store; otherwise a proof works once on each. */
export interface ProofReplays {
  /**
   * Records a use. Of parallel calls with equal digests exactly one is `fresh`. Ends within a bounded time and never
   * rejects: any failure is `unavailable`, and the request is refused with 503.
   * @param digest 32 bytes that identify the proof
   * @param keepUntil the record must be kept until this time
   */
  recordUse(digest: Uint8Array, keepUntil: EpochSeconds): Promise<'fresh' | 'replayed' | 'unavailable'>;
}

/** Settings of {@link memoryProofReplays}. */
export interface MemoryProofReplaysOptions {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Maximum number of records. */
  readonly maxEntries: number;
}

/** Longest time that a record is kept: proofs are accepted for a minute, with ten seconds of clock skew. */
const PERIOD_SECONDS = 80;

/**
 * Keeps used proofs in memory. Full, it is `unavailable` until records expire: to drop one would permit a second use.
 */
export function memoryProofReplays({
  clock = systemClock,
  maxEntries,
}: MemoryProofReplaysOptions): ProofReplays {
  let older = new Set<string>();
  let younger = new Set<string>();
  let youngerSince = nowSeconds(clock);
  /** A set is dropped at least a whole period after its last record. A clock that was put back drops none. */
  const rotate = (now: EpochSeconds) => {
    if (now < youngerSince) youngerSince = now;
    const age = now - youngerSince;
    if (age < PERIOD_SECONDS) return;
    older = age < 2 * PERIOD_SECONDS ? younger : new Set();
    younger = new Set();
    youngerSince = now;
  };
  return {
    recordUse: async (digest) => {
      rotate(nowSeconds(clock));
      const key = Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1');
      if (younger.has(key) || older.has(key)) return 'replayed';
      if (younger.size + older.size >= maxEntries) return 'unavailable';
      younger.add(key);
      return 'fresh';
    },
  };
}
