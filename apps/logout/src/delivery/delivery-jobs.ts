import { type MaintenanceJob, startMaintenanceJob } from '@vestibule/database';
import type { DeliveryOutbox, ExpiredSessions } from '@vestibule/logout';
import { type Clock, epochSeconds, nowSeconds } from '@vestibule/protocol';

/** What the chores take. */
export interface DeliveryJobsOptions {
  readonly outbox: Pick<DeliveryOutbox, 'forgetFinished'>;
  readonly sessions: ExpiredSessions;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly retentionSeconds: number;
  /** Told of each round that failed; the next one takes place all the same. */
  readonly onError: (error: unknown) => void;
}

/** Rows of one statement. */
const BATCH = 100;

/** Ends sessions that have expired, and forgets notifications that were finished long ago, at intervals. */
export function startDeliveryJobs(options: DeliveryJobsOptions): MaintenanceJob {
  const { outbox, sessions, clock, intervalMs, retentionSeconds, onError } = options;
  let isStopped = false;
  const inBatches = async (operate: () => Promise<number>) => {
    while (!isStopped && (await operate()) >= BATCH);
  };
  const rounds = startMaintenanceJob({
    round: async () => {
      const now = nowSeconds(clock);
      await inBatches(() => sessions.endExpired(now, BATCH));
      const by = epochSeconds(Math.max(0, now - retentionSeconds));
      await inBatches(() => outbox.forgetFinished(by, BATCH));
    },
    intervalMs,
    onError,
  });
  return {
    stop: async () => {
      isStopped = true;
      await rounds.stop();
    },
  };
}
