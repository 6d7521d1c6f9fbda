import type { MonotonicClock } from '@vestibule/protocol/runtime';

/** Events that were sent, for readers that continue. */
export interface RecentEvents {
  /** Adds events. After them, every change below the number has been sent. */
  add(text: string, number: bigint, tags: number): void;
  /** Returns the events that a reader at this number may lack, in order; `undefined` if some of them are not kept. */
  since(number: bigint): string | undefined;
  /** Forgets all events: readers at this number or below cannot continue. */
  restart(number: bigint): void;
}

interface Sent {
  readonly text: string;
  readonly number: bigint;
  readonly tags: number;
  readonly atMs: number;
}

/** Bounds of the kept events. */
export interface RecentEventsLimits {
  readonly maxTags: number;
  readonly maxAgeMs: number;
}

/** Creates an empty list of events, kept within the limits. No reader can continue before it is restarted. */
export function recentEvents(
  monotonic: MonotonicClock,
  { maxTags, maxAgeMs }: RecentEventsLimits,
): RecentEvents {
  let kept: Sent[] = [];
  let tagCount = 0;
  /** A reader at this number or below may lack events that are not kept. */
  let floor: bigint | undefined;
  const dropOld = () => {
    const oldestMs = monotonic() - maxAgeMs;
    let dropped = 0;
    for (const { atMs, tags, number } of kept) {
      if (tagCount <= maxTags && atMs >= oldestMs) break;
      tagCount -= tags;
      floor = number;
      dropped += 1;
    }
    if (dropped > 0) kept = kept.slice(dropped);
  };
  return {
    add: (text, number, tags) => {
      kept.push({ text, number, tags, atMs: monotonic() });
      tagCount += tags;
      dropOld();
    },
    since: (number) => {
      dropOld();
      if (floor === undefined || number <= floor) return undefined;
      // A change at or above the reader's number may have been sent early, to other readers only.
      return kept
        .filter((sent) => sent.number >= number)
        .map(({ text }) => text)
        .join('');
    },
    restart: (number) => {
      kept = [];
      tagCount = 0;
      floor = number;
    },
  };
}
