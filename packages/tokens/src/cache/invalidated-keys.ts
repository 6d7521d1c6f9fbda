import type { CacheTag } from '../cache-tag.js';
import type { InvalidationStream, MonotonicClock } from '../invalidation-stream.js';
import type { Scheduler } from './batched-reads.js';
import type { InvalidationLog, ReadMark } from './invalidation-log.js';

/** What knowing keys by invalidation events takes. */
export interface InvalidatedKeysOptions {
  /** What is announced when any of the keys has changed. */
  readonly name: CacheTag;
  /** Reads the keys again, as they are no earlier than at the call; when it fails those of before are held. */
  readonly refresh: () => Promise<void>;
  readonly log: InvalidationLog;
  readonly stream: InvalidationStream;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  /** How long after they were read keys count where nothing proves that they are the present ones, in milliseconds. */
  readonly maxAgeMs: number;
}

/** What is known of the keys that are held in memory. */
export interface InvalidatedKeys {
  /** Whether they are the present ones but for a moment: no change was announced, nor missed, since they were read. */
  areCurrent(): boolean;
  /** Reads them again; who asks for that together shares a reading. Rejects when they cannot be read. */
  readAgain(): Promise<void>;
  /** The last moment at which they are known to have been the present ones, on the monotonic clock. */
  watermarkMs(): number;
}

const RETRY_MS = 250;

/**
 * Keeps keys that are held in memory the present ones: reads them again whenever invalidation events begin, since a
 * change may have been missed before, and as soon as a change is announced. It goes on trying for as long as
 * invalidation events come.
 */
export function invalidatedKeys(options: InvalidatedKeysOptions): InvalidatedKeys {
  const { name, refresh, log, stream, monotonic, scheduler, maxAgeMs } = options;
  const names = [name];
  /** When reading began of the keys that are held. */
  let read: ReadMark | undefined;
  /** What was proven of them when a change was announced; absent while none was. */
  let provenBeforeMs: number | undefined;
  let reading: { readonly mark: ReadMark; readonly done: Promise<void> } | undefined;
  let isStarted = false;
  let isFollowing = false;

  const isCurrent = (mark: ReadMark) => {
    if (!log.isUnbroken(mark) || log.isContradicted(mark, names)) return false;
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
      provenBeforeMs = log.isContradicted(mark, names) ? mark.atMs : undefined;
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
    while (isStarted && (read === undefined || !log.isIntact(read, names)))
      await readAgain().catch(() => new Promise<void>((resolve) => scheduler.after(RETRY_MS, resolve)));
    isFollowing = false;
  };
  stream.subscribe({
    onStarted: () => {
      isStarted = true;
      void follow();
    },
    onInvalidation: () => {
      if (read === undefined || !log.isContradicted(read, names)) return;
      provenBeforeMs ??= log.watermarkMs(read);
      void follow();
    },
    onLost: () => {
      isStarted = false;
    },
  });
  return {
    areCurrent: () => read !== undefined && isCurrent(read),
    readAgain,
    watermarkMs: () =>
      provenBeforeMs ?? (read === undefined ? Number.NEGATIVE_INFINITY : log.watermarkMs(read)),
  };
}
