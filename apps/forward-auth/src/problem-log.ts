import type { Logger } from '@vestibule/http/observability';
import { type MonotonicClock, reportLimit } from '@vestibule/protocol/runtime';

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
  const countOf = reportLimit(INTERVAL_MS, monotonic);
  return ({ reason, message }) => {
    const count = countOf(reason);
    if (count !== undefined)
      logger.warn({ reason, detail: message, count }, 'problem with forward authentication');
  };
}
