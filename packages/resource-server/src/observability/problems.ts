import { emitWarning } from 'node:process';
import { type MonotonicClock, reportLimit } from '@vestibule/protocol/runtime';
import type { Problem } from '../options.js';

/** Shortest time between two warnings with one reason, in milliseconds. */
const INTERVAL_MS = 10_000;

/** Reports problems as warnings of the process, at most one per reason in ten seconds. */
export function processWarnings(monotonic: MonotonicClock): (problem: Problem) => void {
  const count = reportLimit(INTERVAL_MS, monotonic);
  return ({ reason, message }) => {
    if (count(reason) !== undefined) emitWarning(message, { type: 'ResourceServerWarning', code: reason });
  };
}

/** Calls a listener of the application, whose errors must not change the outcome of a request. */
export function guarded(listener: (problem: Problem) => void): (problem: Problem) => void {
  return (problem) => {
    try {
      listener(problem);
    } catch (error) {
      emitWarning(error instanceof Error ? error : String(error));
    }
  };
}
