import type { EpochSeconds, RandomSource } from '@vestibule/protocol';
import { retryWaitMs, type Scheduler } from '@vestibule/protocol/runtime';
import type { ChangeLog, OpenChangeNotices } from './change-log.js';
import { type Occurrences, occurrences, pause } from './occurrences.js';
import { type RecentChanges, recentChanges } from './recent-changes.js';

/** Dependencies of {@link openChangeTail}. */
export interface ChangeTailDeps {
  readonly log: ChangeLog;
  readonly openNotices: OpenChangeNotices;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly random: RandomSource;
  /** How long a reader may be away and continue, in seconds: changes are recorded for this time after the last read. */
  readonly retentionSeconds: number;
  /** Largest time between two reads while nothing happens, in milliseconds. */
  readonly idleMs: number;
  /** Called for each failed read, which is tried again. */
  readonly onProblem: (error: unknown) => void;
  /**
   * Called after each read, and when the tail is closed: when the first of the changes occurred that wait for an older
   * transaction; `undefined` if there are none.
   */
  readonly onPending?: (since: EpochSeconds | undefined) => void;
}

/** The end of the log as this process reads it, for all of its readers, until it is closed. */
export interface ChangeTail {
  readonly recent: Pick<RecentChanges, 'after'>;
  /** The last change that was read; `undefined` until there is one. */
  lastId(): string | undefined;
  /** Changes were added, or the last change is another one. */
  readonly news: Pick<Occurrences, 'count' | 'after'>;
  /** Number of successful reads. */
  reads(): number;
  close(): void;
}

/** Largest number of changes that are read at a time. */
const PAGE = 500;
/** Shortest time between two reads unless there is more to read at once: changes that come together are read together. */
const INTERVAL_MS = 50;
/** Longest interval of reads while changes wait for an older transaction. It doubles from the shortest one. */
const LONGEST_PENDING_MS = 1_000;
/** Longest time until a failed read is tried again. */
export const LONGEST_RETRY_MS = 30_000;
/** Recording is prolonged this much beyond the retention, in seconds, and so not more often. */
const PROLONGED_SECONDS = 3_600;
/** Largest size of the recent changes as JSON. */
const RECENT_CHARACTERS = 4 * 1024 * 1024;

/** Reads the log from now on. */
export function openChangeTail(deps: ChangeTailDeps): ChangeTail {
  const { log, scheduler, random, retentionSeconds, idleMs, onProblem, onPending = () => undefined } = deps;
  const [news, notices] = [occurrences(scheduler), occurrences(scheduler)];
  const closing = new AbortController();
  const { signal } = closing;
  const recent = recentChanges(RECENT_CHARACTERS);
  let lastId: string | undefined;
  let reads = 0;
  let pendingMs = INTERVAL_MS;

  const goOnAfter = (id: string | undefined) => {
    lastId = id;
    recent.restart(id);
    news.add();
  };
  const found = (pendingSince: EpochSeconds | undefined) => {
    if (!signal.aborted) onPending(pendingSince);
  };
  const keepRecorded = async (recordedForSeconds: number) => {
    if (recordedForSeconds < retentionSeconds) await log.record(retentionSeconds + PROLONGED_SECONDS);
  };
  /** Finds the end of the log. */
  const begin = async (): Promise<'read' | 'pending'> => {
    const { change, recordedForSeconds, pendingSince } = await log.latest();
    found(pendingSince);
    await keepRecorded(recordedForSeconds);
    // Otherwise the log begins anew, and its first change is a reset.
    if (change === undefined || recordedForSeconds === 0) return 'pending';
    goOnAfter(change.id);
    return 'read';
  };
  const read = async (after: string): Promise<'more' | 'read' | 'pending'> => {
    const { isKnown, changes, recordedForSeconds, pendingSince } = await log.page(after, PAGE);
    found(pendingSince);
    await keepRecorded(recordedForSeconds);
    if (!isKnown) {
      goOnAfter(undefined);
      return 'more';
    }
    const last = changes.at(-1);
    if (last !== undefined) {
      recent.add(changes);
      lastId = last.id;
      news.add();
      pendingMs = INTERVAL_MS;
    }
    if (changes.length === PAGE) return 'more';
    return pendingSince === undefined ? 'read' : 'pending';
  };

  let failures = 0;
  const readAndWait = async () => {
    const seen = notices.count();
    const next = lastId === undefined ? await begin() : await read(lastId);
    reads += 1;
    failures = 0;
    if (next === 'more') return;
    const waitMs = next === 'pending' ? pendingMs : idleMs;
    pendingMs = next === 'pending' ? Math.min(pendingMs * 2, LONGEST_PENDING_MS) : INTERVAL_MS;
    await pause(scheduler, INTERVAL_MS, signal);
    await notices.after(seen, waitMs - INTERVAL_MS, signal);
  };
  const retry = async (error: unknown) => {
    failures += 1;
    onProblem(error);
    await pause(scheduler, retryWaitMs({ attempts: failures, longestMs: LONGEST_RETRY_MS }, random), signal);
  };
  const run = async () => {
    while (!signal.aborted) await readAndWait().catch((error) => (signal.aborted ? undefined : retry(error)));
  };
  const listening = deps.openNotices(notices.add);
  void run();
  return {
    recent,
    lastId: () => lastId,
    news,
    reads: () => reads,
    close: () => {
      closing.abort();
      listening.close();
      onPending(undefined);
    },
  };
}
