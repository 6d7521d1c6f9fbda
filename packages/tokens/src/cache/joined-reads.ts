import type { CacheTag } from '../cache-tag.js';
import { briefEntries } from './brief-entries.js';
import type { InvalidationLog, ReadMark } from './invalidation-log.js';

/** What came of a read: something with what it depends on, or nothing. */
export interface ReadOutcome {
  /** Absent when there is nothing. */
  readonly names?: readonly CacheTag[];
  /** That what there is counts for nothing at present, so that the response is no, as if there were nothing. */
  readonly isOver?: boolean;
  /**
   * Resolves when a later read would find it in a quicker place, or never will. Until then later callers take part, in
   * place of asking the slower one again. Never rejects; absent when nothing is on its way.
   */
  readonly landed?: Promise<void>;
}

/** What joining is made of. */
export interface JoinedReadsOptions<Outcome> {
  readonly log: InvalidationLog;
  /** How far back the state that a read gives may lie for a later caller to take part in it, in milliseconds. */
  readonly maxAgeMs: number;
  /** Called when a caller takes part in the read of another. */
  readonly onJoined: () => void;
  /** Told what came of a read before its callers are, unless a later read of the same key has begun since. */
  readonly onOutcome: (key: string, outcome: Outcome) => void;
  /** Told, before the callers of a read, that it speaks against whatever later reads of the same key gave. */
  readonly onDenied: (key: string) => void;
}

/** Reads of one key at one time are one read. */
export interface JoinedReads<Outcome extends ReadOutcome> {
  read(key: string, begin: (mark: ReadMark) => Promise<Outcome>): Promise<Outcome>;
}

interface UnderWay<Outcome> {
  readonly begunAt: number;
  readonly mark: ReadMark;
  readonly outcome: Promise<Outcome>;
}

/**
 * Lets a caller take part in a read that began before its call, as long as what comes of it is as good as its own read
 * would have been: something that nothing announced since contradicts. That there is nothing counts for those alone who
 * called before the read began: a token may have been issued in between, and issuing is not announced. Once a caller
 * was told no, nobody who calls later is told what a read had seen that began before. The first caller does not wait
 * for what it read to land anywhere.
 */
export function joinedReads<Outcome extends ReadOutcome>(
  options: JoinedReadsOptions<Outcome>,
): JoinedReads<Outcome> {
  const { log, maxAgeMs, onJoined, onOutcome, onDenied } = options;
  const underWay = briefEntries<UnderWay<Outcome>>();
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
      // An older read that ends after a newer one knows less as a rule. It may still have looked last.
      if (isLatest()) onOutcome(key, outcome);
      else if (isNo(outcome)) {
        underWay.delete(key);
        onDenied(key);
      }
      if (outcome.landed === undefined) leave();
      else void outcome.landed.then(leave);
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
  const holds = (mark: ReadMark, { names }: Outcome) =>
    names !== undefined && !log.isContradicted(mark, names);

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
      // It is over, though not landed, and will not become better.
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

function isNo({ names, isOver = false }: ReadOutcome): boolean {
  return names === undefined || isOver;
}
