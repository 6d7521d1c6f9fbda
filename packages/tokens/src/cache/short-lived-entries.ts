/** A map for short-lived entries. */
export interface ShortLivedEntries<Entry> {
  get(key: string): Entry | undefined;
  /** Adds an entry in place of the one with the same key. */
  set(key: string, entry: Entry): void;
  delete(key: string): void;
}

/**
 * Creates a map for short-lived entries. In V8 each table that a `Map` has outgrown refers to the next one: once one of
 * them is in the old generation, everything that is added to that map stays until a major collection. Here maps live as
 * briefly as their entries: new entries go into a new map as soon as the second last map is empty.
 */
export function shortLivedEntries<Entry>(): ShortLivedEntries<Entry> {
  let earlier = new Map<string, Entry>();
  let later = new Map<string, Entry>();
  return {
    get: (key) => later.get(key) ?? earlier.get(key),
    set: (key, entry) => {
      earlier.delete(key);
      if (earlier.size === 0) {
        earlier = later;
        later = new Map();
        earlier.delete(key);
      }
      later.set(key, entry);
    },
    delete: (key) => {
      if (!later.delete(key)) earlier.delete(key);
    },
  };
}
