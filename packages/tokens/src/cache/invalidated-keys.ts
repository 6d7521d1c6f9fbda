import type { MonotonicClock, Scheduler } from '@vestibule/protocol/runtime';
import type { CacheTag } from './cache-tag.js';
import type { InvalidationLog, ReadMark } from './invalidation-log.js';
import type { InvalidationStream } from './invalidation-stream.js';

/** Options of keys that follow invalidation events. */
export interface InvalidatedKeysOptions {
  /** Tag of the keys in invalidation events. */
  readonly tag: CacheTag;
  /** Reads the keys again, no earlier than at the call. If it fails, the previous keys stay in use. */
  readonly refresh: () => Promise<void>;
  readonly log: InvalidationLog;
  readonly stream: InvalidationStream;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** How long keys may be used after they were read while the watermark is old, in milliseconds. */
  readonly maxAgeMs: number;
}

/** Knows whether the keys in memory are current. */
export interface InvalidatedKeys {
  /** Whether the keys are current within the allowed age: no invalidation event arrived or was missed since they were read. */
  areCurrent(): boolean;
  /** Reads the keys again; parallel calls share one read. Rejects when the keys cannot be read. */
  readAgain(): Promise<void>;
  /** Latest time on the monotonic clock at which the keys are known to have been current. */
  watermarkMs(): number;
}

const RETRY_MS = 250;

/**
 * Keeps the keys in memory current. Reads them again when the invalidation stream starts, because a change may have
 * been missed before, and when an event invalidates them. Retries as long as invalidation events arrive.
 */
export function invalidatedKeys(options: InvalidatedKeysOptions): InvalidatedKeys {
  const { tag, refresh, log, stream, monotonic, scheduler, maxAgeMs } = options;
  const tags = [tag];
  /** When the read of the current keys began. */
  let read: ReadMark | undefined;
  /** The watermark at which an event invalidated the keys; absent without one. */
  let invalidatedAtMs: number | undefined;
  let reading: { readonly mark: ReadMark; readonly done: Promise<void> } | undefined;
  let isStarted = false;
  let isFollowing = false;

  const isCurrent = (mark: ReadMark) => {
    if (!log.isUnbroken(mark) || log.isContradicted(mark, tags)) return false;
    const nowMs = monotonic();
    return log.isCurrent(nowMs) || nowMs - mark.atMs < maxAgeMs;
  };
  const readAgain = (): Promise<void> => {
    if (reading !== undefined && isCurrent(reading.mark)) return reading.done;
    const mark = log.mark();
    const readKeys = async () => {
      await refresh();
      if (read !== undefined && read.sequence > mark.sequence) return;
      read = mark;
      invalidatedAtMs = log.isContradicted(mark, tags) ? mark.atMs : undefined;
    };
    const own = {
      mark,
      done: readKeys().finally(() => {
        if (reading === own) reading = undefined;
      }),
    };
    reading = own;
    return own.done;
  };
  const follow = async () => {
    if (isFollowing) return;
    isFollowing = true;
    while (isStarted && (read === undefined || !log.isIntact(read, tags)))
      await readAgain().catch(() => new Promise<void>((resolve) => scheduler.after(RETRY_MS, resolve)));
    isFollowing = false;
  };
  stream.subscribe({
    onStarted: () => {
      isStarted = true;
      void follow();
    },
    onInvalidation: () => {
      if (read === undefined || !log.isContradicted(read, tags)) return;
      invalidatedAtMs ??= log.watermarkMs(read);
      void follow();
    },
    onAdvanced: () => undefined,
    onLost: () => {
      isStarted = false;
    },
  });
  return {
    areCurrent: () => read !== undefined && isCurrent(read),
    readAgain,
    watermarkMs: () =>
      invalidatedAtMs ?? (read === undefined ? Number.NEGATIVE_INFINITY : log.watermarkMs(read)),
  };
}
