import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { Change, ChangeReason } from './change.js';
import { type ChangeLog, type ChangeNotices, type ChangePosition, LOG_START } from './change-log.js';

/** Where a reader starts. */
export interface ChangeStart {
  /** Identifier of the last change that the reader has processed. */
  readonly lastEventId?: string | undefined;
  /** Whether a reader without one gets everything that is kept, instead of what happens from now on. */
  readonly isFromStart?: boolean;
}

/** Dependencies of {@link followChanges}. */
export interface FollowDeps {
  readonly log: ChangeLog;
  readonly notices: ChangeNotices;
  readonly clock: Clock;
  /** Called for each failed read, which is tried again. */
  readonly onProblem: (error: unknown) => void;
  /** Time without changes after which an empty list is returned, in milliseconds. */
  readonly idleMs: number;
}

/** Largest number of changes that are read at a time. */
const PAGE = 100;
/** Interval of reads while changes wait for an older transaction, in milliseconds. */
const PENDING_MS = 50;
/** Time before a failed read is tried again, in milliseconds. */
const RETRY_MS = 1_000;

/** A position, and the change that led to it: the position is valid as long as the log has it. */
interface Reached {
  readonly position: ChangePosition;
  readonly eventId?: string;
}

/** Where a reader is, and the reset that it must be told of. */
interface Beginning {
  readonly reached: Reached;
  readonly reset?: Change;
}

/**
 * Finds the start of a reader, and returns the changes from there on: lists in order, an empty one at intervals. The
 * first one is a reset unless the reader continues exactly where it stopped. It goes on until the signal is aborted,
 * whatever happens to the store in between. Each change comes at least once.
 * @throws the error of the store if the start cannot be found
 */
export async function followChanges(
  deps: FollowDeps,
  start: ChangeStart,
  signal: AbortSignal,
): Promise<AsyncGenerator<readonly Change[], void>> {
  return changesFrom(deps, await begin(deps, start, signal), signal);
}

/** A reader between two reads. */
interface Reader {
  reached: Reached;
  /** The start of the notices for which the position is known to be valid. */
  starts: number;
  /** Time since the last list, in milliseconds. */
  idleForMs: number;
}

async function* changesFrom(
  deps: FollowDeps,
  { reached, reset }: Beginning,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[], void> {
  const { notices, onProblem } = deps;
  const reader: Reader = { reached, starts: notices.starts(), idleForMs: 0 };
  if (reset !== undefined) yield [reset];
  while (!signal.aborted) {
    let list: readonly Change[] | undefined = [];
    try {
      list = (await resetAfterRestart(deps, reader, signal)) ?? (await readOrWait(deps, reader, signal));
    } catch (error) {
      if (signal.aborted) return;
      onProblem(error);
      await notices.after(notices.count(), RETRY_MS, signal);
    }
    if (list === undefined) continue;
    reader.idleForMs = 0;
    yield list;
  }
}

/** Returns the next changes, an empty list if there were none for a while, or `undefined` to read again. */
async function readOrWait(
  { log, notices, idleMs }: FollowDeps,
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly Change[] | undefined> {
  const count = notices.count();
  const { changes, isPending } = await log.page(reader.reached.position, PAGE);
  const last = changes.at(-1);
  if (last !== undefined) {
    reader.reached = { position: last.position, eventId: last.change.id };
    return changes.map(({ change }) => change);
  }
  const waitMs = isPending ? PENDING_MS : idleMs;
  await notices.after(count, waitMs, signal);
  reader.idleForMs += waitMs;
  const isIdle = reader.idleForMs >= idleMs && (isPending || notices.count() === count);
  return isIdle ? [] : undefined;
}

/** After an interruption the server may be another one, which lacks the last changes. */
async function resetAfterRestart(
  deps: FollowDeps,
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly Change[] | undefined> {
  const starts = deps.notices.starts();
  if (starts === reader.starts) return undefined;
  const lastEventId = reader.reached.eventId;
  const { reached, reset } = await begin(deps, { lastEventId, isFromStart: true }, signal);
  reader.starts = starts;
  if (reset === undefined) return undefined;
  reader.reached = reached;
  return [reset];
}

async function begin(deps: FollowDeps, start: ChangeStart, signal: AbortSignal): Promise<Beginning> {
  const { lastEventId, isFromStart = false } = start;
  if (lastEventId === undefined)
    return isFromStart ? { reached: { position: LOG_START } } : resetOf(deps, 'no_position', signal);
  const position = await deps.log.find(lastEventId);
  return position === undefined
    ? resetOf(deps, 'unknown_position', signal)
    : { reached: { position, eventId: lastEventId } };
}

/** A reset has the identifier of the last change, so that a reader can continue after it. */
async function resetOf(
  { log, notices, clock }: FollowDeps,
  reason: ChangeReason,
  signal: AbortSignal,
): Promise<Beginning> {
  for (;;) {
    const latest = await log.latest();
    if (latest !== undefined) {
      const { id } = latest.change;
      const reset: Change = { id, type: 'reset', occurredAt: nowSeconds(clock), reason, members: {} };
      return { reached: { position: latest.position, eventId: id }, reset };
    }
    signal.throwIfAborted();
    await notices.after(notices.count(), PENDING_MS, signal);
  }
}
