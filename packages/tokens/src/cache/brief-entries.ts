/** Entries by name that come and go all the time. */
export interface BriefEntries<Entry> {
  get(key: string): Entry | undefined;
  /** Adds an entry, in place of the one with the same key. */
  set(key: string, entry: Entry): void;
  delete(key: string): void;
}

/**
 * What a `Map` would be, were it not that V8 lets each table that a map has outgrown lead to the next one: once one of
 * them is in the old part of the heap, whatever is added to that map stays until that part is collected. Here maps
 * live as briefly as their entries: new ones go into a new map as soon as the one before the last is empty.
 */
export function briefEntries<Entry>(): BriefEntries<Entry> {
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
