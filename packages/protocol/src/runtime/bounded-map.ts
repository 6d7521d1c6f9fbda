/** Limits of a bounded map, and which entries it gives up. */
export interface BoundedMapOptions<Key, Value> {
  /** Default: no limit. */
  readonly maxEntries?: number;
  /** Largest sum of the sizes of all entries. Default: no limit. */
  readonly maxSize?: number;
  /** Returns the size of an entry, the same each time. Needed for `maxSize`. */
  readonly sizeOf?: (key: Key, value: Value) => number;
  /** Whether an entry is over; then `get` removes it. Default: none is. */
  readonly isExpired?: (value: Value) => boolean;
  /**
   * Whether to spare the oldest entry once, so that it becomes the newest. It must not spare an entry again and again
   * (second chance: spare entries that were used since). Default: none is spared.
   */
  readonly secondChance?: (value: Value) => boolean;
}

/** A map that never exceeds its limits, and evicts the entries that were set first. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined;
  /**
   * Stores a value in place of the one with the same key, as the newest entry. An entry that exceeds the limits alone
   * is not stored.
   */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
  /** Number of entries, with those that are over and were not asked for since. */
  readonly size: number;
  /** Sum of the sizes of all entries. */
  readonly totalSize: number;
}

/**
 * A full map gives up one of so many parts at a time: a V8 map finds its first entry by stepping over all that were
 * deleted before it, which would take 70 µs for each new entry among 50,000.
 */
const PARTS = 128;

/** Creates an empty map. */
export function boundedMap<Key, Value extends NonNullable<unknown>>({
  maxEntries = Number.MAX_SAFE_INTEGER,
  maxSize = Number.POSITIVE_INFINITY,
  sizeOf = () => 0,
  isExpired,
  secondChance,
}: BoundedMapOptions<Key, Value>): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>();
  let totalSize = 0;
  const remove = (key: Key) => {
    const value = entries.get(key);
    if (value === undefined) return;
    totalSize -= sizeOf(key, value);
    entries.delete(key);
  };
  const makeRoom = () => {
    const [roomyEntries, roomySize] = [
      maxEntries - Math.floor(maxEntries / PARTS),
      maxSize * (1 - 1 / PARTS),
    ];
    for (const [key, value] of entries) {
      // A single entry is within the limits, even if it is larger than what is kept of a full map.
      if (entries.size === 1 || (entries.size <= roomyEntries && totalSize <= roomySize)) return;
      entries.delete(key);
      if (secondChance?.(value)) entries.set(key, value);
      else totalSize -= sizeOf(key, value);
    }
  };
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value === undefined || isExpired === undefined || !isExpired(value)) return value;
      remove(key);
      return undefined;
    },
    set: (key, value) => {
      remove(key);
      const size = sizeOf(key, value);
      if (maxEntries < 1 || size > maxSize) return;
      entries.set(key, value);
      totalSize += size;
      if (entries.size > maxEntries || totalSize > maxSize) makeRoom();
    },
    delete: remove,
    clear: () => {
      entries.clear();
      totalSize = 0;
    },
    get size() {
      return entries.size;
    },
    get totalSize() {
      return totalSize;
    },
  };
}
