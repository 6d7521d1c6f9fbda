import type { MonotonicClock } from './scheduler.js';

/**
 * Counts a problem with this reason.
 * @returns the number of those since the last report, with this one, if it is to be reported; otherwise `undefined`
 */
export type CountProblem = (reason: string) => number | undefined;

/** Limits the reports of problems to one for each reason in an interval. Reasons are a fixed set: each is kept. */
export function reportLimit(intervalMs: number, monotonic: MonotonicClock): CountProblem {
  const reasons = new Map<string, { reportedAtMs: number; count: number }>();
  return (reason) => {
    const nowMs = monotonic();
    const { reportedAtMs, count } = reasons.get(reason) ?? {
      reportedAtMs: Number.NEGATIVE_INFINITY,
      count: 0,
    };
    const isReported = nowMs - reportedAtMs >= intervalMs;
    reasons.set(reason, isReported ? { reportedAtMs: nowMs, count: 0 } : { reportedAtMs, count: count + 1 });
    return isReported ? count + 1 : undefined;
  };
}
