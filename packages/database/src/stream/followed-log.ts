import { type CoalescedRuns, coalescedRuns } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { RevocationListener, StreamPosition } from '@vestibule/tokens/cache';
import type { RunStatement } from '../statement.js';
import { pollEvents, readEpoch } from './invalidation-events.js';

/** Options of following the log of invalidation events. */
export interface FollowedLogOptions {
  /** Runs the polls, on a connection of their own. */
  readonly poll: RunStatement;
  /** Runs checks on the connections that read and write. */
  readonly check: RunStatement;
  readonly monotonic: MonotonicClock;
  /** Interval of the polls, in milliseconds. */
  readonly pollMs: number;
  /** Interval of the checks, in milliseconds. */
  readonly checkMs: number;
  readonly listener: Pick<RevocationListener, 'onInvalidation' | 'onAdvanced'>;
  /** Called once, when events can no longer be followed. */
  readonly onFailed: (error: unknown) => void;
}

/** The log of invalidation events, which is polled until it is stopped or has failed. */
export interface FollowedLog {
  watermarkMs(): number;
  position(): StreamPosition;
  /** Waits for a poll and a check that begin now. False when one of them fails. */
  catchUp(): Promise<boolean>;
  stop(): void;
}

/** Without a check for this long the position does not advance, as in-process caches are not used then. */
const MAX_CHECK_AGE_MS = 1_000;

/**
 * Follows the log from now on. Everything that was committed before a poll was sent is visible to it, so the time of
 * sending is the watermark. Checks prove that the connections that read and write lead to the same server: another one
 * has another epoch. Rejects when the first poll fails.
 */
export async function followLog(options: FollowedLogOptions): Promise<FollowedLog> {
  const { monotonic, pollMs, checkMs, listener, onFailed } = options;
  let polledAtMs = monotonic();
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let { position, snapshot } = await pollEvents(options.poll, null);
  let { epoch } = position;
  let isStopped = false;

  const stop = () => {
    isStopped = true;
    for (const timer of timers) clearInterval(timer);
  };
  const fail = (error: unknown) => {
    stop();
    onFailed(error);
  };
  const advance = (to: StreamPosition) => {
    position = to;
    listener.onAdvanced(to);
  };
  const poll = async (): Promise<boolean> => {
    if (isStopped) return false;
    // Taken before sending, so that the watermark is never too late.
    const sentAtMs = monotonic();
    const polled = await pollEvents(options.poll, snapshot);
    if (isStopped) return false;
    if (polled.hasGap || polled.position.epoch !== epoch)
      listener.onInvalidation({ kind: 'everything', transactionId: polled.position.transactionId });
    else for (const event of polled.events) listener.onInvalidation(event);
    epoch = polled.position.epoch;
    snapshot = polled.snapshot;
    polledAtMs = sentAtMs;
    if (sentAtMs - checkedAtMs < MAX_CHECK_AGE_MS) advance(polled.position);
    return true;
  };
  const polls = coalescedRuns(() =>
    poll().catch((error: unknown) => {
      if (!isStopped) fail(error);
      return false;
    }),
  );
  const check = async (): Promise<boolean> => {
    if (isStopped) return false;
    const sentAtMs = monotonic();
    let found = await readEpoch(options.check);
    if (found !== epoch) {
      // The log may have begun anew since the last poll.
      await polls.next();
      found = await readEpoch(options.check);
    }
    if (isStopped) return false;
    const isSame = found === epoch;
    if (isSame) checkedAtMs = sentAtMs;
    else fail(new Error('the connections lead to different servers'));
    return isSame;
  };
  // Without a response the watermark stays.
  const checks = coalescedRuns(() => check().catch(() => false));

  void checks.next();
  const timers = [repeated(polls, pollMs), repeated(checks, checkMs)];
  return {
    watermarkMs: () => Math.min(polledAtMs, checkedAtMs),
    position: () => position,
    catchUp: async () => {
      const done = await Promise.all([polls.next(), checks.next()]);
      return done.every(Boolean);
    },
    stop,
  };
}

/** Starts a run at intervals, unless one is under way. Does not keep the process running. */
function repeated(runs: CoalescedRuns<boolean>, intervalMs: number): NodeJS.Timeout {
  return setInterval(() => {
    if (runs.current === undefined) void runs.next();
  }, intervalMs).unref();
}
