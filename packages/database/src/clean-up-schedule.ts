import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { CleanUp, CleanUpCounts } from './clean-up.js';
import { type MaintenanceJob, startMaintenanceJob } from './rounds.js';

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

/** Cleans up at intervals, the first time after one. Does not keep the process running. */
export function startCleanUp(schedule: CleanUpSchedule): MaintenanceJob {
  const { database, clock, intervalMs, batchSize, onError, onDone } = schedule;
  const round = async () => {
    const now = nowSeconds(clock);
    const counts = await database.cleanUp(batchSize === undefined ? { now } : { now, batchSize });
    onDone?.(counts);
  };
  return startMaintenanceJob({ round, intervalMs, onError });
}
