import type { Change } from './change.js';

/** The last changes that were read, up to a size. */
export interface RecentChanges {
  /** Returns the changes after one; `undefined` if some of them may not be here. */
  after(id: string, limit: number): readonly Change[] | undefined;
  add(changes: readonly Change[]): void;
  /** Forgets all changes; those after the given one are added next. */
  restart(id?: string): void;
}

/** The place after a change. */
interface Place {
  next?: { readonly change: Change; readonly size: number; readonly place: Place };
}

/** Once the limit is exceeded, this part of it remains, so that many changes are forgotten at a time. */
const REMAINING = 0.75;

/** @param maxCharacters largest size of the changes as JSON */
export function recentChanges(maxCharacters: number): RecentChanges {
  const places = new Map<string, Place>();
  let last: Place = {};
  let size = 0;
  const forgetOldest = () => {
    for (const [id, { next }] of places) {
      if (next === undefined || size <= maxCharacters * REMAINING) return;
      places.delete(id);
      size -= next.size;
    }
  };
  return {
    after: (id, limit) => {
      let next = places.get(id);
      if (next === undefined) return undefined;
      const found: Change[] = [];
      while (next.next !== undefined && found.length < limit) {
        found.push(next.next.change);
        next = next.next.place;
      }
      return found;
    },
    add: (changes) => {
      for (const change of changes) {
        const next = { change, size: JSON.stringify(change).length, place: {} };
        last.next = next;
        last = next.place;
        places.set(change.id, last);
        size += next.size;
      }
      if (size > maxCharacters) forgetOldest();
    },
    restart: (id) => {
      places.clear();
      last = {};
      size = 0;
      if (id !== undefined) places.set(id, last);
    },
  };
}
