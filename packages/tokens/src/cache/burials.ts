import type { Digest } from '@vestibule/crypto';
import type { SharedTokenLevel } from '../shared-token-level.js';

/** The tombstones that this process puts on the shared level. */
export interface Burials {
  /** Starts to bury. */
  bury(digests: readonly Digest[]): void;
  /** Resolves when every burial that has begun is over, well or not. */
  settled(): Promise<void>;
}

/** Burials on a shared level; without one there is nothing to bury. */
export function burialsOn(shared: SharedTokenLevel | undefined): Burials {
  const underWay = new Set<Promise<unknown>>();
  return {
    bury: (digests) => {
      if (shared === undefined || digests.length === 0) return;
      const burial = shared.bury(digests).finally(() => underWay.delete(burial));
      underWay.add(burial);
    },
    settled: async () => {
      if (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
