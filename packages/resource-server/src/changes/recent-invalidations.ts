import type { CacheTag } from './cache-tag.js';
import type { StampedResponse } from './freshness.js';
import type { StreamPosition } from './stream-position.js';

/** Recent invalidation events of one epoch, to decide which responses are outdated. */
export interface RecentInvalidations {
  /** Records that responses with one of the tags and a number of at most `at` are outdated. */
  record(tags: readonly CacheTag[], at: bigint): void;
  /** Forgets all events, and begins anew: only responses of this epoch with a number above `floor` are known to be intact. */
  restart(epoch: string, floor: bigint): void;
  /** Ends the epoch: no response is known to be intact. */
  end(): void;
  /** Whether no recorded or forgotten event outdates a response. Notes in `checkedUpTo` if so. */
  isIntact(response: StampedResponse): boolean;
}

/** One of the two halves of the record. When the younger one is full, the older one is forgotten. */
type Half = Map<CacheTag, bigint>;

/** Creates an empty record. @param capacity of each half, in tags */
export function recentInvalidations(capacity: number): RecentInvalidations {
  let epoch: string | undefined;
  /** Number of events so far. */
  let sequence = 0;
  let older: Half = new Map();
  let younger: Half = new Map();
  /** The greatest `at` of each half. */
  let [olderAt, youngerAt] = [-1n, -1n];
  /** Forgotten events have an `at` of at most this, and a sequence of at most `floorSequence`. */
  let floor = -1n;
  let floorSequence = 0;

  const forgetOlder = () => {
    if (olderAt > floor) floor = olderAt;
    floorSequence = olderSequence;
    older = younger;
    olderAt = youngerAt;
    olderSequence = sequence;
    younger = new Map();
    youngerAt = -1n;
  };
  /** The last event of the older half. */
  let olderSequence = 0;

  const clear = (at: bigint) => {
    sequence += 1;
    [older, younger] = [new Map(), new Map()];
    [olderAt, youngerAt] = [-1n, -1n];
    floor = at;
    floorSequence = sequence;
    olderSequence = sequence;
  };
  /** Whether every forgotten event was considered, or does not concern a response with this number. */
  const isCovered = ({ number }: StreamPosition, checkedUpTo: number) =>
    number > floor || checkedUpTo >= floorSequence;
  const isOutdated = (tag: CacheTag, number: bigint) =>
    (younger.get(tag) ?? -1n) >= number || (older.get(tag) ?? -1n) >= number;

  return {
    record: (tags, at) => {
      if (younger.size + tags.length > capacity) forgetOlder();
      sequence += 1;
      if (at > youngerAt) youngerAt = at;
      for (const tag of tags) if ((younger.get(tag) ?? -1n) < at) younger.set(tag, at);
    },
    restart: (begun, at) => {
      epoch = begun;
      clear(at);
    },
    end: () => {
      epoch = undefined;
      clear(-1n);
    },
    isIntact: (response) => {
      if (response.checkedUpTo === sequence) return true;
      const { stamp } = response;
      if (stamp === undefined || stamp.position.epoch !== epoch) return false;
      const { position, tags } = stamp;
      if (!isCovered(position, response.checkedUpTo)) return false;
      for (const tag of tags) if (isOutdated(tag, position.number)) return false;
      response.checkedUpTo = sequence;
      return true;
    },
  };
}
