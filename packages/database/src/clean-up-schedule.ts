import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { CleanUp, CleanUpCounts } from './clean-up.js';

/** How the database is cleaned up regularly. */
export interface CleanUpSchedule {
  readonly database: { cleanUp(round: CleanUp): Promise<CleanUpCounts> };
  readonly clock: Clock;
  /** From the end of a round to the start of the next. */
  readonly intervalMs: number;
  readonly batchSize?: number;
  /** Told of each round that failed; the next one takes place all the same. */
  readonly onError: (error: unknown) => void;
  /** Told what each round deleted. */
  readonly onDone?: (counts: CleanUpCounts) => void;
}

/** A running schedule. */
export interface RunningCleanUp {
  /** Ends it, after the round that is under way. */
  stop(): Promise<void>;
}

/** Cleans up at intervals, the first time after one. Does not keep the process running. */
export function startCleanUp(schedule: CleanUpSchedule): RunningCleanUp {
  const { database, clock, intervalMs, batchSize, onError, onDone } = schedule;
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const plan = () => {
    if (!stopped) timer = setTimeout(start, intervalMs).unref();
  };
  const start = () => {
    const now = nowSeconds(clock);
    round = database
      .cleanUp(batchSize === undefined ? { now } : { now, batchSize })
      .then(onDone, onError)
      .then(plan);
  };
  plan();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
