import type { ReplayStore } from '../replay-store.js';

/** A replay store in memory that forgets nothing, and what it holds. */
export interface MemoryReplayStore extends ReplayStore {
  /** When each record may be forgotten, by digest in hex. */
  readonly records: Map<string, number>;
}

/** An empty replay store in memory. */
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

/** A replay store that cannot be reached. */
export const unavailableReplayStore: ReplayStore = { recordUse: async () => 'unavailable' };
