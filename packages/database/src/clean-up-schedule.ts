import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { CleanUp, CleanUpCounts } from './clean-up.js';
import { type MaintenanceJob, startMaintenanceJob } from './maintenance-job.js';

/** Schedule of the maintenance job that deletes expired rows. */
export interface CleanUpSchedule {
  readonly database: { cleanUp(options: CleanUp): Promise<CleanUpCounts> };
  readonly clock: Clock;
  /** From the end of a run to the start of the next, in milliseconds. */
  readonly intervalMs: number;
  readonly batchSize?: number;
  /** How long changes are kept for readers, in seconds. */
  readonly changeRetentionSeconds?: number | undefined;
  /** Called after each failed run. The next run takes place as scheduled. */
  readonly onError: (error: unknown) => void;
  /** Called with the numbers of rows that each run deleted. */
  readonly onDone?: (counts: CleanUpCounts) => void;
}

/** Starts to delete expired rows at intervals, the first time after one. Does not keep the process running. */
export function startCleanUp(schedule: CleanUpSchedule): MaintenanceJob {
  const { database, clock, intervalMs, batchSize, changeRetentionSeconds, onError, onDone } = schedule;
  const run = async () => {
    const now = nowSeconds(clock);
    const counts = await database.cleanUp({
      now,
      ...(batchSize !== undefined && { batchSize }),
      ...(changeRetentionSeconds !== undefined && { changeRetentionSeconds }),
    });
    onDone?.(counts);
  };
  return startMaintenanceJob({ run, intervalMs, onError });
}
