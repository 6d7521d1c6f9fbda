import { DeadlineError, type Scheduler, withinDeadline } from '@vestibule/protocol/runtime';

/**
 * Greatest age of a state in a response while the store does not respond, in milliseconds. It leaves a quarter of a
 * second to the bound of five seconds for sending the response.
 */
export const STALE_FALLBACK_MS = 4_750;

/** How long to wait for the store while there is a stale fallback, in milliseconds. */
export const FALLBACK_AFTER_MS = 100;

/** How long to wait for the store without a stale fallback, in milliseconds; callers time out soon after. */
export const STORE_DEADLINE_MS = 2_000;

/** Options of a read with a stale fallback. */
export interface StaleFallbackOptions<Result> {
  readonly scheduler: Scheduler;
  /** How long to wait for the read while there is a stale fallback, in milliseconds. */
  readonly fallbackAfterMs: number;
  /** Returns the stale fallback; `undefined` when there is none (any more). */
  readonly staleFallback: () => Result | undefined;
}

/**
 * Waits for a read, and uses the stale fallback when the read fails or takes longer than `fallbackAfterMs`. Without a
 * fallback it rejects when the read fails or the deadline passes. It has its own timers and not those of
 * `withinDeadline`, because a used fallback must cancel the deadline.
 */
export function orStaleFallback<Result>(
  read: Promise<Result>,
  { scheduler, fallbackAfterMs, staleFallback }: StaleFallbackOptions<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const cancelFallbackTimer = scheduler.after(fallbackAfterMs, () => {
      const result = staleFallback();
      if (result === undefined) return;
      isSettled = true;
      cancelDeadline();
      resolve(result);
    });
    const fallBack = (error: unknown) => {
      if (isSettled) return;
      isSettled = true;
      cancelFallbackTimer();
      cancelDeadline();
      const result = staleFallback();
      if (result === undefined) reject(error);
      else resolve(result);
    };
    const cancelDeadline = scheduler.after(STORE_DEADLINE_MS, () => fallBack(tooLate()));
    read.then((result) => {
      cancelFallbackTimer();
      cancelDeadline();
      resolve(result);
    }, fallBack);
  });
}

/**
 * Waits for the store until the deadline. The read itself is not cancelled.
 * @throws DeadlineError after the deadline
 */
export function withinStoreDeadline<Result>(read: Promise<Result>, scheduler: Scheduler): Promise<Result> {
  return withinDeadline(read, { scheduler, limitMs: STORE_DEADLINE_MS }, tooLate);
}

function tooLate(): DeadlineError {
  return new DeadlineError('the store did not respond in time');
}
