import type { Digest } from '@vestibule/crypto/data-keys';
import type { SharedTokenLevel } from './shared-token-level.js';

/** Writes tombstones to the shared level. */
export interface Tombstones {
  /** Starts to write tombstones. */
  invalidate(digests: readonly Digest[]): void;
  /** Resolves when all writes that have started are over, successful or not. */
  settled(): Promise<void>;
}

/** Creates the writer of tombstones; it does nothing without a shared level. */
export function tombstonesOn(shared: SharedTokenLevel | undefined): Tombstones {
  const underWay = new Set<Promise<unknown>>();
  return {
    invalidate: (digests) => {
      if (shared === undefined || digests.length === 0) return;
      const tombstone = shared.invalidate(digests).finally(() => underWay.delete(tombstone));
      underWay.add(tombstone);
    },
    settled: async () => {
      if (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
