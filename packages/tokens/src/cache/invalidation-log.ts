import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { CacheTag } from './cache-tag.js';
import type { InvalidationStream } from './invalidation-stream.js';

/** Position of a read in the log; taken before reading. */
export interface ReadMark {
  /** Number of invalidation events before the read. */
  readonly sequence: number;
  /** Number of the uninterrupted stretch of the invalidation stream, or of the gap. */
  readonly stretch: number;
  /** Time on the monotonic clock. */
  readonly atMs: number;
}

/** Options of the invalidation log. */
export interface InvalidationLogOptions {
  readonly stream: InvalidationStream;
  readonly monotonic: MonotonicClock;
  /** Greatest age of the watermark at which cached states may be used, in milliseconds. Default 1,000. */
  readonly maxWatermarkAgeMs?: number;
  /** Capacity of each of the two halves of the log, in tags. Default 20,000. */
  readonly capacity?: number;
}

/** Recent invalidation events, to decide which states that were read before may still be used. */
export interface InvalidationLog {
  /** Marks a read that starts now. */
  mark(): ReadMark;
  /** Whether the watermark at `nowMs` is recent enough to use cached states. */
  isCurrent(nowMs: number): boolean;
  /** Whether no invalidation event since the mark, known or possibly missed, concerns any of the tags. */
  isIntact(mark: ReadMark, tags: readonly CacheTag[]): boolean;
  /** Whether the invalidation stream has neither started nor been interrupted since the mark. */
  isUnbroken(mark: ReadMark): boolean;
  /** Whether a known invalidation event since the mark concerns any of the tags. */
  isContradicted(mark: ReadMark, tags: readonly CacheTag[]): boolean;
  /**
   * Latest time at which a state that was read at the mark, and is not contradicted, is known to have been valid.
   */
  watermarkMs(mark: ReadMark): number;
  /** Whether a state that another process read no earlier than at `readAtMs`, by our monotonic clock, may be used. */
  isSharedReadIntact(readAtMs: number, tags: readonly CacheTag[]): boolean;
  /** Number of invalidation events so far. The sequence of a mark may be set to it after `isIntact` was true. */
  sequence(): number;
  /** Records a change by this process without waiting for its invalidation event. */
  record(tags: readonly CacheTag[]): void;
  /** Discards everything that was read before. */
  discardEverything(): void;
}

interface Invalidated {
  readonly sequence: number;
  /** Time on the monotonic clock, to compare with reads of other processes. */
  readonly atMs: number;
}

/** One of the two halves of the log. When the younger one is full, the older one is dropped. */
interface Half {
  readonly tags: Map<CacheTag, Invalidated>;
  /** The last invalidation event before this half. */
  readonly after: Invalidated;
}

const MAX_WATERMARK_AGE_MS = 1_000;
const CAPACITY = 20_000;

/** Creates a log of an invalidation stream. It is bounded: whatever is older than the log may have changed. */
export function invalidationLog(options: InvalidationLogOptions): InvalidationLog {
  const { stream, monotonic, maxWatermarkAgeMs = MAX_WATERMARK_AGE_MS, capacity = CAPACITY } = options;
  let sequence = 0;
  let stretch = 0;
  let isStarted = false;
  /** The last stretch that was interrupted, with its last watermark. */
  let interrupted = { stretch: -1, watermarkMs: Number.NEGATIVE_INFINITY };
  /** Everything that was read up to here is discarded. */
  let floor: Invalidated = { sequence: -1, atMs: Number.NEGATIVE_INFINITY };
  /**
   * When the stream started last. States that other processes read before may have changed without an event; before the
   * first start all of them, and a process that ran here before may have said so.
   */
  let startedAtMs = Number.POSITIVE_INFINITY;
  let older: Half = { tags: new Map(), after: floor };
  let younger: Half = { tags: new Map(), after: floor };

  const next = (): Invalidated => {
    sequence += 1;
    return { sequence, atMs: monotonic() };
  };
  const record = (tags: readonly CacheTag[]) => {
    const invalidated = next();
    if (younger.tags.size + tags.length > capacity) {
      older = younger;
      younger = { tags: new Map(), after: { ...invalidated, sequence: invalidated.sequence - 1 } };
    }
    for (const tag of tags) younger.tags.set(tag, invalidated);
  };
  const discardEverything = () => {
    floor = next();
    older = { tags: new Map(), after: floor };
    younger = { tags: new Map(), after: floor };
  };
  const lastAbout = (tag: CacheTag) => younger.tags.get(tag) ?? older.tags.get(tag);
  const isContradicted = (mark: ReadMark, tags: readonly CacheTag[]) => {
    if (mark.sequence === sequence) return false;
    if (mark.sequence < older.after.sequence) return true;
    return tags.some((tag) => (lastAbout(tag)?.sequence ?? -1) > mark.sequence);
  };
  const isUnbroken = (mark: ReadMark) => mark.stretch === stretch;
  const watermarkMs = (mark: ReadMark) => {
    if (isStarted && isUnbroken(mark)) return Math.max(mark.atMs, stream.watermarkMs());
    return mark.stretch === interrupted.stretch ? Math.max(mark.atMs, interrupted.watermarkMs) : mark.atMs;
  };

  stream.subscribe({
    onStarted: () => {
      isStarted = true;
      stretch += 1;
      startedAtMs = monotonic();
    },
    onInvalidation: (invalidation) => {
      if (invalidation.kind === 'everything') discardEverything();
      else record(invalidation.kind === 'tokens' ? invalidation.digests : invalidation.tags);
    },
    onAdvanced: () => undefined,
    onLost: () => {
      if (!isStarted) return;
      isStarted = false;
      interrupted = { stretch, watermarkMs: stream.watermarkMs() };
      stretch += 1;
    },
  });

  return {
    mark: () => ({ sequence, stretch, atMs: monotonic() }),
    isCurrent: (nowMs) => isStarted && nowMs - stream.watermarkMs() < maxWatermarkAgeMs,
    isIntact: (mark, tags) => isStarted && isUnbroken(mark) && !isContradicted(mark, tags),
    isUnbroken,
    isContradicted,
    watermarkMs,
    isSharedReadIntact: (readAtMs, tags) => {
      if (readAtMs <= floor.atMs || readAtMs <= older.after.atMs) return false;
      if (readAtMs <= startedAtMs) return false;
      return tags.every((tag) => (lastAbout(tag)?.atMs ?? Number.NEGATIVE_INFINITY) < readAtMs);
    },
    sequence: () => sequence,
    record,
    discardEverything,
  };
}
