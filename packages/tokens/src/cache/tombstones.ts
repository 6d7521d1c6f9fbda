import type { Digest } from '@vestibule/crypto';
import type { SharedTokenLevel } from '../shared-token-level.js';

/** The tombstones that this process puts on the shared level. */
export interface Tombstones {
  /** Starts to bury. */
  invalidate(digests: readonly Digest[]): void;
  /** Resolves when every burial that has begun is over, well or not. */
  settled(): Promise<void>;
}

/** Burials on a shared level; without one there is nothing to bury. */
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
