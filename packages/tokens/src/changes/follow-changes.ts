import { type Clock, nowSeconds } from '@vestibule/protocol';
import { retryWaitMs } from '@vestibule/protocol/runtime';
import type { Change, ChangeReason } from './change.js';
import { type ChangeTail, type ChangeTailDeps, LONGEST_RETRY_MS, openChangeTail } from './change-tail.js';
import { type LimitedTurns, limitedTurns } from './limited-turns.js';
import { pause } from './occurrences.js';

/** Where a reader starts. */
export interface ChangeStart {
  /** Identifier of the last change that the reader has processed. */
  readonly lastEventId?: string | undefined;
  /** Whether a reader without one gets everything that is kept, instead of what happens from now on. */
  readonly isFromStart?: boolean;
}

/**
 * Returns the changes from a start on: lists in order, an empty one at intervals while the log can be read. The first
 * change is a `reset` unless the reader continues exactly where it stopped. It goes on until the signal is aborted,
 * whatever happens to the store in between. Each change comes at least once.
 */
export type FollowChanges = (
  start: ChangeStart,
  signal: AbortSignal,
) => AsyncGenerator<readonly Change[], void>;

/** Dependencies of {@link changeFollower}. */
export interface ChangeFollowerDeps extends ChangeTailDeps {
  readonly clock: Clock;
}

/** Largest number of changes in a list. */
export const LIST_SIZE = 100;
/** Number of readers behind the recent changes that may read from the log at a time. */
const READERS_BEHIND = 2;

/**
 * Lets any number of readers in this process follow the changes. The log is read once for all of them, while there are
 * any; a reader that is behind the recent changes reads for itself until it has caught up.
 */
export function changeFollower(deps: ChangeFollowerDeps): FollowChanges {
  const turns = limitedTurns(READERS_BEHIND);
  let tail: ChangeTail | undefined;
  let readers = 0;
  const enter = (): ChangeTail => {
    readers += 1;
    // Twice in the time, so that an empty list says that the log was read since the last one.
    tail ??= openChangeTail({ ...deps, idleMs: deps.idleMs / 2 });
    return tail;
  };
  const leave = () => {
    readers -= 1;
    if (readers > 0) return;
    tail?.close();
    tail = undefined;
  };
  return async function* (start, signal) {
    if (signal.aborted) return;
    const shared = enter();
    // Also if the caller does not ask for more after that.
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* changesOf({ ...deps, tail: shared, turns }, start, signal);
    } finally {
      if (!signal.aborted) {
        signal.removeEventListener('abort', leave);
        leave();
      }
    }
  };
}

interface Shared extends ChangeFollowerDeps {
  readonly tail: ChangeTail;
  readonly turns: LimitedTurns;
}

/** A reader between two lists. */
interface Reader {
  /** The last change that it got; `undefined` at the start of the log. */
  lastId: string | undefined;
  /** Why changes may be missing after that. */
  missing: ChangeReason | undefined;
  /** Number of reads of the tail at the last list. */
  reads: number;
}

async function* changesOf(
  deps: Shared,
  { lastEventId, isFromStart = false }: ChangeStart,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[], void> {
  const { tail, scheduler, random, onProblem } = deps;
  const isNew = lastEventId === undefined && !isFromStart;
  const reader: Reader = {
    lastId: lastEventId,
    missing: isNew ? 'no_position' : undefined,
    reads: tail.reads(),
  };
  let failures = 0;
  while (!signal.aborted) {
    let list: readonly Change[] | undefined;
    try {
      list = await listOrWait(deps, reader, signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      onProblem(error);
      await pause(
        scheduler,
        retryWaitMs({ attempts: failures, longestMs: LONGEST_RETRY_MS }, random),
        signal,
      );
    }
    if (list === undefined || signal.aborted) continue;
    reader.reads = tail.reads();
    yield list;
  }
}

/** Returns the next changes, an empty list if there were none for a while, or `undefined` to look again. */
async function listOrWait(
  deps: Shared,
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly Change[] | undefined> {
  const { tail, idleMs } = deps;
  const seen = tail.news.count();
  const list = await nextList(deps, reader);
  if (list.length > 0) return list;
  await tail.news.after(seen, idleMs, signal);
  // While the log cannot be read, it is not known that nothing happened.
  return tail.news.count() === seen && tail.reads() !== reader.reads ? list : undefined;
}

/** Returns the changes that come next, and none if there are none yet. */
async function nextList({ log, tail, turns, clock }: Shared, reader: Reader): Promise<readonly Change[]> {
  const { lastId } = reader;
  if (reader.missing === undefined) {
    const recent = lastId === undefined ? undefined : tail.recent.after(lastId, LIST_SIZE);
    const { isKnown, changes } = recent
      ? { isKnown: true, changes: recent }
      : await turns(() => log.page(lastId, LIST_SIZE));
    if (isKnown) {
      reader.lastId = changes.at(-1)?.id ?? lastId;
      return changes;
    }
    reader.missing = 'unknown_position';
  }
  const id = tail.lastId();
  if (id === undefined) return [];
  const { missing: reason } = reader;
  Object.assign(reader, { lastId: id, missing: undefined });
  // A reset has the identifier of the last change, so that the reader can continue after it.
  return [{ id, type: 'reset', occurredAt: nowSeconds(clock), reason, members: {} }];
}
