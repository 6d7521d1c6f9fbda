import type { ClientWatch } from '../cache/client-watch.js';

/** A watch whose invalidation stream the test controls. */
export interface ControlledClientWatch {
  readonly watch: ClientWatch;
  /** Every client that was read before may have changed. */
  readonly invalidate: () => void;
  /** From now on it is unknown whether clients have changed. */
  readonly disconnect: () => void;
}

/** Creates a watch that is connected, and under which nothing changes until the test says so. */
export function controlledClientWatch(): ControlledClientWatch {
  let version = 0;
  let isConnected = true;
  return {
    watch: {
      start: () => {
        const seen = version;
        const isSame = () => seen === version;
        return () => ({ isCurrent: () => isConnected && isSame(), wasRecentlyCurrent: isSame });
      },
      orStaleFallback: (read, staleFallback) =>
        read.catch((error: unknown) => {
          const result = staleFallback();
          if (result === undefined) throw error;
          return result;
        }),
    },
    invalidate: () => {
      version += 1;
    },
    disconnect: () => {
      isConnected = false;
    },
  };
}
