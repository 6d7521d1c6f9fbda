/** A map of bounded size that evicts the oldest entry. */
export interface RecentEntries<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  readonly size: number;
}

/** Creates an empty map of at most `limit` entries. */
export function recentEntries<Value>(limit: number): RecentEntries<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= limit) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => {
      entries.delete(key);
    },
    get size() {
      return entries.size;
    },
  };
}
