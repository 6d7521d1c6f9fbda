import type { CacheTag } from '../cache-tag.js';
import type { InvalidationStream, MonotonicClock } from '../invalidation-stream.js';

/** When something was read, as the log counts; taken before reading. */
export interface ReadMark {
  /** How many invalidation events there had been. */
  readonly sequence: number;
  /** The stretch of uninterrupted invalidation events, or of none. */
  readonly stretch: number;
  /** The moment, on the monotonic clock. */
  readonly atMs: number;
}

/** What the log is made of. */
export interface InvalidationLogOptions {
  readonly stream: InvalidationStream;
  readonly monotonic: MonotonicClock;
  /** How old the proof of completeness may be where a memory is trusted, in milliseconds, default 1,000. */
  readonly maxWatermarkAgeMs?: number;
  /** How many names are kept before older ones are forgotten, twice over; default 20,000. */
  readonly capacity?: number;
}

/** What has been announced lately, and what may therefore still be trusted of what was read before. */
export interface InvalidationLog {
  /** The mark of something that is read from now on. */
  mark(): ReadMark;
  /** Whether every invalidation event up to a moment before `nowMs` is known: the condition for trusting any memory. */
  isCurrent(nowMs: number): boolean;
  /** Whether nothing that was announced since the mark, or may have been, concerns any of the names. */
  isIntact(mark: ReadMark, names: readonly CacheTag[]): boolean;
  /** Whether invalidation events have neither begun nor been lost since the mark. */
  isUnbroken(mark: ReadMark): boolean;
  /** Whether something about one of the names has been announced since the mark, for all that is known. */
  isContradicted(mark: ReadMark, names: readonly CacheTag[]): boolean;
  /**
   * The last moment at which something that was read at the mark, and is not contradicted, is known to have been true.
   */
  watermarkMs(mark: ReadMark): number;
  /** Whether what another process read, no earlier than at that moment of our monotonic clock, can be trusted here. */
  isSharedReadIntact(readAtMs: number, names: readonly CacheTag[]): boolean;
  /** How many invalidation events there have been; the sequence of a mark may be set to it once it was found intact. */
  sequence(): number;
  /** Records a change that was made here, without waiting for its invalidation event. */
  record(names: readonly CacheTag[]): void;
  /** Distrusts everything that was read before. */
  discardEverything(): void;
}

interface Invalidated {
  readonly sequence: number;
  /** On the monotonic clock, to compare with reads of other processes. */
  readonly atMs: number;
}

/** One of the two halves of the log: when the younger one is full the older one is forgotten. */
interface Half {
  readonly names: Map<CacheTag, Invalidated>;
  /** The last invalidation event that it does not hold. */
  readonly after: Invalidated;
}

const MAX_WATERMARK_AGE_MS = 1_000;
const CAPACITY = 20_000;

/** A log that listens to an invalidation stream. Bounded: of what it has forgotten it says that it may have changed. */
export function invalidationLog(options: InvalidationLogOptions): InvalidationLog {
  const { stream, monotonic, maxWatermarkAgeMs = MAX_WATERMARK_AGE_MS, capacity = CAPACITY } = options;
  let sequence = 0;
  let stretch = 0;
  let isStarted = false;
  /** The last stretch that was interrupted, and what was proven of it. */
  let interrupted = { stretch: -1, watermarkMs: Number.NEGATIVE_INFINITY };
  /** Everything read up to here is distrusted. */
  let floor: Invalidated = { sequence: -1, atMs: Number.NEGATIVE_INFINITY };
  /** When the present stretch began: what others read before it may have changed unheard. */
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let older: Half = { names: new Map(), after: floor };
  let younger: Half = { names: new Map(), after: floor };

  const next = (): Invalidated => {
    sequence += 1;
    return { sequence, atMs: monotonic() };
  };
  const record = (names: readonly CacheTag[]) => {
    const invalidated = next();
    if (younger.names.size + names.length > capacity) {
      older = younger;
      younger = { names: new Map(), after: { ...invalidated, sequence: invalidated.sequence - 1 } };
    }
    for (const name of names) younger.names.set(name, invalidated);
  };
  const discardEverything = () => {
    floor = next();
    older = { names: new Map(), after: floor };
    younger = { names: new Map(), after: floor };
  };
  const lastAbout = (name: CacheTag) => younger.names.get(name) ?? older.names.get(name);
  const isContradicted = (mark: ReadMark, names: readonly CacheTag[]) => {
    if (mark.sequence === sequence) return false;
    if (mark.sequence < older.after.sequence) return true;
    return names.some((name) => (lastAbout(name)?.sequence ?? -1) > mark.sequence);
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
      else record(invalidation.kind === 'tokens' ? invalidation.digests : invalidation.names);
    },
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
    isIntact: (mark, names) => isStarted && isUnbroken(mark) && !isContradicted(mark, names),
    isUnbroken,
    isContradicted,
    watermarkMs,
    isSharedReadIntact: (readAtMs, names) => {
      if (readAtMs <= floor.atMs || readAtMs <= older.after.atMs) return false;
      if (isStarted && readAtMs <= startedAtMs) return false;
      return names.every((name) => (lastAbout(name)?.atMs ?? Number.NEGATIVE_INFINITY) < readAtMs);
    },
    sequence: () => sequence,
    record,
    discardEverything,
  };
}
