import { ReadDeadlineError, type Scheduler } from './batched-reads.js';

/**
 * How far back the truth of a response may lie while the store does not answer, in milliseconds; a quarter of a second
 * below the bound is left for the response itself.
 */
export const STALE_FALLBACK_MS = 4_750;

/** How long the store is waited for where there is a last resort, in milliseconds. */
export const PATIENCE_MS = 100;

/** How long the store is waited for at all, in milliseconds: callers have given up soon after. */
export const STORE_DEADLINE_MS = 2_000;

/** What is done when a read fails or takes long. */
export interface StaleFallbackOptions<Result> {
  readonly scheduler: Scheduler;
  /** How long to wait for the read while there is something to fall back on, in milliseconds. */
  readonly patienceMs: number;
  /** What to fall back on at present; `undefined` when there is nothing (any more). */
  readonly staleFallback: () => Result | undefined;
}

/**
 * Waits for a read, and falls back when it fails, or when it takes longer than it is worth waiting for. Without
 * anything to fall back on its failure is the caller's, and so is its taking longer than the deadline.
 */
export function orStaleFallback<Result>(
  read: Promise<Result>,
  { scheduler, patienceMs, staleFallback }: StaleFallbackOptions<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const callOffPatience = scheduler.after(patienceMs, () => {
      const result = staleFallback();
      if (result === undefined) return;
      isAnswered = true;
      callOffDeadline();
      resolve(result);
    });
    const fallBack = (error: unknown) => {
      if (isAnswered) return;
      isAnswered = true;
      callOffPatience();
      callOffDeadline();
      const result = staleFallback();
      if (result === undefined) reject(error);
      else resolve(result);
    };
    const callOffDeadline = scheduler.after(STORE_DEADLINE_MS, () => fallBack(tooLate()));
    read.then((result) => {
      callOffPatience();
      callOffDeadline();
      resolve(result);
    }, fallBack);
  });
}

/**
 * What comes of asking the store, as long as it comes in time. What takes longer goes on all the same.
 * @throws ReadDeadlineError when it does not
 */
export function withinDeadline<Result>(asked: Promise<Result>, scheduler: Scheduler): Promise<Result> {
  return new Promise((resolve, reject) => {
    const callOff = scheduler.after(STORE_DEADLINE_MS, () => reject(tooLate()));
    asked.then(
      (result) => {
        callOff();
        resolve(result);
      },
      (error: unknown) => {
        callOff();
        reject(error);
      },
    );
  });
}

function tooLate(): ReadDeadlineError {
  return new ReadDeadlineError('the store did not answer in time');
}
