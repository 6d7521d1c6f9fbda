import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { NamedChanges, Progress } from './stream-events.js';

/** Changes that were sent between two positions. */
export interface SentChanges {
  readonly before: Progress;
  readonly after: Progress;
  readonly changes: NamedChanges;
}

/** The changes that were sent, for readers that continue. */
export interface RecentEvents {
  add(sent: SentChanges): void;
  /** Returns what a reader at this number may lack, in order; `undefined` if some of it is not kept. */
  since(number: bigint): readonly SentChanges[] | undefined;
  /** Forgets everything: readers at this number or below cannot continue. */
  restart(number: bigint): void;
}

/** Bounds of what is kept. */
export interface RecentEventsLimits {
  readonly maxTags: number;
  readonly maxAgeMs: number;
}

/** Creates an empty list, kept within the limits. No reader can continue before it is restarted. */
export function recentEvents(
  monotonic: MonotonicClock,
  { maxTags, maxAgeMs }: RecentEventsLimits,
): RecentEvents {
  let kept: (SentChanges & { readonly atMs: number })[] = [];
  let tagCount = 0;
  /** A reader at this number or below may lack changes that are not kept. */
  let floor: bigint | undefined;
  const dropOld = () => {
    const oldestMs = monotonic() - maxAgeMs;
    let dropped = 0;
    for (const { atMs, changes, after } of kept) {
      if (tagCount <= maxTags && atMs >= oldestMs) break;
      tagCount -= changes.names.length;
      floor = after.position.number;
      dropped += 1;
    }
    if (dropped > 0) kept = kept.slice(dropped);
  };
  return {
    add: (sent) => {
      kept.push({ ...sent, atMs: monotonic() });
      tagCount += sent.changes.names.length;
      dropOld();
    },
    since: (number) => {
      dropOld();
      if (floor === undefined || number <= floor) return undefined;
      // A change at or above the reader's number may have been sent early, to other readers only.
      return kept.filter(({ after }) => after.position.number >= number);
    },
    restart: (number) => {
      kept = [];
      tagCount = 0;
      floor = number;
    },
  };
}
