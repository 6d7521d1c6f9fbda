import type { InvalidationLog, ReadMark } from './invalidation-log.js';
import { shortLivedEntries } from './short-lived-entries.js';
import type { TokenCacheCounters } from './token-cache-counters.js';
import type { TokenMemory } from './token-memory.js';
import type { TokenReadOutcome } from './token-reader.js';

/** Options of joined reads. */
export interface JoinedReadsOptions {
  readonly log: InvalidationLog;
  /** Greatest age of a read that a later caller may join, in milliseconds. */
  readonly maxAgeMs: number;
  /** Updated before the callers get an outcome. */
  readonly memory: Pick<TokenMemory, 'keep' | 'forget'>;
  /** Counts callers that join a read. */
  readonly counters: Pick<TokenCacheCounters, 'joined'>;
}

/** Joins parallel reads of one token, by its key in the memory. */
export interface JoinedReads {
  read(key: string, begin: BeginRead): Promise<TokenReadOutcome>;
}

type BeginRead = (mark: ReadMark) => Promise<TokenReadOutcome>;

interface UnderWay {
  readonly begunAt: number;
  readonly mark: ReadMark;
  readonly outcome: Promise<TokenReadOutcome>;
}

/**
 * Lets a caller join a read that began before its call, if the outcome is as good as that of its own read: a state that
 * no invalidation event since has contradicted. "Not found" is valid only for callers from before the read began,
 * because a token may have been issued in between and issuing has no invalidation event. After a caller got "not found", no
 * later caller gets the result of a read that began before. The first caller does not wait for the write to the shared
 * level.
 *
 * The memory gets an outcome unless a later read of the same key has begun since. Any other outcome than a live token then
 * removes the entry, because the older read may have read the store last.
 */
export function joinedReads(options: JoinedReadsOptions): JoinedReads {
  const { log, maxAgeMs, memory, counters } = options;
  const underWay = shortLivedEntries<UnderWay>();
  let turn = 0;

  const update = (key: string, outcome: TokenReadOutcome) => {
    if ('reading' in outcome) memory.keep(key, outcome.reading);
    // A token that was not found must not come back from the memory.
    else memory.forget(key);
  };
  const beginRead = (key: string, begin: BeginRead): Promise<TokenReadOutcome> => {
    turn += 1;
    const mark = log.mark();
    const begunAt = turn;
    const isLatest = () => underWay.get(key)?.begunAt === begunAt;
    const leave = () => {
      if (isLatest()) underWay.delete(key);
    };
    const end = (outcome: TokenReadOutcome) => {
      // An older read that ends after a newer one usually has the older state, but it may have read the store last.
      if (isLatest()) update(key, outcome);
      else if (outcome.kind !== 'live') {
        underWay.delete(key);
        memory.forget(key);
      }
      if (outcome.kind === 'live' && outcome.written !== undefined) void outcome.written.then(leave);
      else leave();
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
  const mayJoin = ({ mark }: UnderWay) => log.mark().atMs - log.watermarkMs(mark) < maxAgeMs;
  const holds = (mark: ReadMark, outcome: TokenReadOutcome) =>
    'reading' in outcome && !log.isContradicted(mark, outcome.reading.tags);

  const join = async (key: string, begin: BeginRead, calledAt: number): Promise<TokenReadOutcome> => {
    for (;;) {
      const read = underWay.get(key);
      if (read === undefined || !mayJoin(read)) return beginRead(key, begin);
      counters.joined += 1;
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
