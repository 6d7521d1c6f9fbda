import type { Logger } from '@vestibule/http/observability';
import type { MonotonicClock } from '@vestibule/protocol/runtime';

/** Something that an operator must know. */
export interface LoggedProblem {
  /** Problems with one reason share a limit. */
  readonly reason: string;
  /** A sentence without token and secret. */
  readonly message: string;
}

/** Shortest time between two lines with one reason, in milliseconds. */
const INTERVAL_MS = 10_000;

/** Logs problems, at most one for each reason in ten seconds, with the number of those since the last line. */
export function problemLog(
  logger: Pick<Logger, 'warn'>,
  monotonic: MonotonicClock,
): (problem: LoggedProblem) => void {
  const reasons = new Map<string, { loggedAtMs: number; count: number }>();
  return ({ reason, message }) => {
    const nowMs = monotonic();
    const state = reasons.get(reason) ?? { loggedAtMs: Number.NEGATIVE_INFINITY, count: 0 };
    reasons.set(reason, state);
    state.count += 1;
    if (nowMs - state.loggedAtMs < INTERVAL_MS) return;
    logger.warn({ reason, detail: message, count: state.count }, 'problem with forward authentication');
    state.loggedAtMs = nowMs;
    state.count = 0;
  };
}
