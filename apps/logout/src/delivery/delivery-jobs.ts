import { type MaintenanceJob, startMaintenanceJob } from '@vestibule/database';
import type { DeliveryOutbox, ExpiredSessions } from '@vestibule/logout/delivery';
import { type Clock, epochSeconds, nowSeconds } from '@vestibule/protocol';

/** Options of the maintenance jobs. */
export interface DeliveryJobsOptions {
  readonly outbox: Pick<DeliveryOutbox, 'forgetFinished'>;
  readonly sessions: ExpiredSessions;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly retentionSeconds: number;
  /** Called for each run that failed; the next run takes place all the same. */
  readonly onError: (error: unknown) => void;
}

/** Notifications that one statement deletes. */
const BATCH = 100;

/** Ends expired sessions, and deletes finished notifications after their retention, at intervals. */
export function startDeliveryJobs(options: DeliveryJobsOptions): MaintenanceJob {
  const { outbox, sessions, clock, intervalMs, retentionSeconds, onError } = options;
  let isStopped = false;
  const untilNoneLeft = async (operate: () => Promise<number>) => {
    while (!isStopped && (await operate()) > 0);
  };
  const job = startMaintenanceJob({
    run: async () => {
      const now = nowSeconds(clock);
      await untilNoneLeft(() => sessions.endExpired(now));
      const by = epochSeconds(Math.max(0, now - retentionSeconds));
      await untilNoneLeft(() => outbox.forgetFinished(by, BATCH));
    },
    intervalMs,
    onError,
  });
  return {
    stop: async () => {
      isStopped = true;
      await job.stop();
    },
  };
}
