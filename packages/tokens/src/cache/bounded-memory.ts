/** Something that a bounded memory keeps. */
export interface Remembered {
  /** About how many bytes it takes. */
  readonly bytes: number;
  /** Set when it is used; spares it once when room is made. */
  isUsed: boolean;
}

/** What a memory may hold at most. */
export interface MemoryLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** A memory that never exceeds its limits: what was not used lately goes first. */
export interface BoundedMemory<Entry extends Remembered> {
  get(key: string): Entry | undefined;
  /** Keeps an entry, in place of the one with the same key; one that is larger than all the room is not kept. */
  set(key: string, entry: Entry): void;
  delete(key: string): void;
  readonly size: number;
  readonly bytes: number;
}

/** Second chance: entries queue in the order of their coming, and one that was used since queues once more. */
export function boundedMemory<Entry extends Remembered>(limits: MemoryLimits): BoundedMemory<Entry> {
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
      // Written only where it changes something: memory that is only read stays in more caches.
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
