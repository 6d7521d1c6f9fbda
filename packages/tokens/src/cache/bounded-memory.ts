/** An entry of a bounded memory. */
export interface MemoryEntry {
  /** Size in bytes (estimate). */
  readonly bytes: number;
  /** Set on each use; a used entry is spared once by eviction. */
  isUsed: boolean;
}

/** Limits of a bounded memory. */
export interface MemoryLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** A cache that never exceeds its limits and evicts entries that were not used recently. */
export interface BoundedMemory<Entry extends MemoryEntry> {
  get(key: string): Entry | undefined;
  /** Stores an entry in place of the one with the same key. An entry that exceeds the limits alone is not stored. */
  set(key: string, entry: Entry): void;
  delete(key: string): void;
  readonly size: number;
  readonly bytes: number;
}

/** Creates a memory with second-chance eviction: entries queue in order of insertion; a used one is queued again. */
export function boundedMemory<Entry extends MemoryEntry>(limits: MemoryLimits): BoundedMemory<Entry> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  const remove = (key: string) => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    bytes -= entry.bytes;
    entries.delete(key);
  };
  const makeRoom = () => {
    for (const [key, entry] of entries) {
      if (entries.size <= limits.entries && bytes <= limits.bytes) return;
      entries.delete(key);
      if (entry.isUsed) {
        entry.isUsed = false;
        entries.set(key, entry);
      } else {
        bytes -= entry.bytes;
      }
    }
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      // Written only when it changes, so that the cache line stays shared.
      if (entry !== undefined && !entry.isUsed) entry.isUsed = true;
      return entry;
    },
    set: (key, entry) => {
      remove(key);
      if (limits.entries < 1 || entry.bytes > limits.bytes) return;
      entries.set(key, entry);
      bytes += entry.bytes;
      makeRoom();
    },
    delete: remove,
    get size() {
      return entries.size;
    },
    get bytes() {
      return bytes;
    },
  };
}
