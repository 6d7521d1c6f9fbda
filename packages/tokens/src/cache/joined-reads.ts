import type { CacheTag } from '../cache-tag.js';
import type { InvalidationLog, ReadMark } from './invalidation-log.js';
import { shortLivedEntries } from './short-lived-entries.js';

/** Outcome of a read: a state with the tags that it depends on, or none. */
export interface ReadOutcome {
  /** Tags of the state; absent when nothing was found. */
  readonly tags?: readonly CacheTag[];
  /** Whether the state is not valid now (its client has expired), so that it is treated as not found. */
  readonly isInactive?: boolean;
  /**
   * Resolves when the write to the shared level is done, successful or not. Until then later callers join this read
   * instead of reading the store again. Never rejects; absent when nothing is written.
   */
  readonly written?: Promise<void>;
}

/** Options of joined reads. */
export interface JoinedReadsOptions<Outcome> {
  readonly log: InvalidationLog;
  /** Greatest age of a read that a later caller may join, in milliseconds. */
  readonly maxAgeMs: number;
  /** Called when a caller joins a read. */
  readonly onJoined: () => void;
  /** Called with the outcome before the callers get it, unless a later read of the same key has begun since. */
  readonly onOutcome: (key: string, outcome: Outcome) => void;
  /** Called before the callers get the outcome, when it contradicts the results of later reads of the same key. */
  readonly onDenied: (key: string) => void;
}

/** Joins parallel reads of one key. */
export interface JoinedReads<Outcome extends ReadOutcome> {
  read(key: string, begin: (mark: ReadMark) => Promise<Outcome>): Promise<Outcome>;
}

interface UnderWay<Outcome> {
  readonly begunAt: number;
  readonly mark: ReadMark;
  readonly outcome: Promise<Outcome>;
}

/**
 * Lets a caller join a read that began before its call, if the outcome is as good as that of its own read: a state that
 * no invalidation event since has contradicted. "Not found" is valid only for callers from before the read began,
 * because a token may have been issued in between and issuing is not announced. After a caller got "not found", no
 * later caller gets the result of a read that began before. The first caller does not wait for the write to the shared
 * level.
 */
export function joinedReads<Outcome extends ReadOutcome>(
  options: JoinedReadsOptions<Outcome>,
): JoinedReads<Outcome> {
  const { log, maxAgeMs, onJoined, onOutcome, onDenied } = options;
  const underWay = shortLivedEntries<UnderWay<Outcome>>();
  let turn = 0;

  const beginRead = (key: string, begin: (mark: ReadMark) => Promise<Outcome>): Promise<Outcome> => {
    turn += 1;
    const mark = log.mark();
    const begunAt = turn;
    const isLatest = () => underWay.get(key)?.begunAt === begunAt;
    const leave = () => {
      if (isLatest()) underWay.delete(key);
    };
    const end = (outcome: Outcome) => {
      // An older read that ends after a newer one usually has the older state, but it may have read the store last.
      if (isLatest()) onOutcome(key, outcome);
      else if (isNo(outcome)) {
        underWay.delete(key);
        onDenied(key);
      }
      if (outcome.written === undefined) leave();
      else void outcome.written.then(leave);
      return outcome;
    };
    const fail = (error: unknown) => {
      leave();
      throw error;
    };
    const outcome = begin(mark).then(end, fail);
    underWay.set(key, { begunAt, mark, outcome });
    return outcome;
  };
  const mayJoin = ({ mark }: UnderWay<Outcome>) => log.mark().atMs - log.watermarkMs(mark) < maxAgeMs;
  const holds = (mark: ReadMark, { tags }: Outcome) => tags !== undefined && !log.isContradicted(mark, tags);

  const join = async (
    key: string,
    begin: (mark: ReadMark) => Promise<Outcome>,
    calledAt: number,
  ): Promise<Outcome> => {
    for (;;) {
      const read = underWay.get(key);
      if (read === undefined || !mayJoin(read)) return beginRead(key, begin);
      onJoined();
      const outcome = await read.outcome;
      if (read.begunAt > calledAt || holds(read.mark, outcome)) return outcome;
      // The read is over, and its outcome does not change while it is being written.
      if (underWay.get(key) === read) return beginRead(key, begin);
    }
  };

  return {
    read: (key, begin) => {
      turn += 1;
      return underWay.get(key) === undefined ? beginRead(key, begin) : join(key, begin, turn);
    },
  };
}

function isNo({ tags, isInactive = false }: ReadOutcome): boolean {
  return tags === undefined || isInactive;
}
