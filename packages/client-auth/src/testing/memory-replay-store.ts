import type { ReplayStore } from '../assertions/replay-store.js';

/** An in-memory replay store that keeps every record. */
export interface MemoryReplayStore extends ReplayStore {
  /** Expiry of each record, by digest in hex. */
  readonly records: Map<string, number>;
}

/** Creates an empty in-memory replay store. */
export function memoryReplayStore(): MemoryReplayStore {
  const records = new Map<string, number>();
  return {
    records,
    recordUse: async (digest, keepUntil) => {
      const key = Buffer.from(digest).toString('hex');
      if (records.has(key)) return 'replayed';
      records.set(key, keepUntil);
      return 'fresh';
    },
  };
}

/** A replay store that is unreachable. */
export const unavailableReplayStore: ReplayStore = { recordUse: async () => 'unavailable' };
