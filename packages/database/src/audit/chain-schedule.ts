import { type MaintenanceJob, startMaintenanceJob } from '../maintenance-job.js';
import type { ChainedEvents, ChainHead, Chaining } from './chain-events.js';

/** Schedule of the maintenance job that chains audit events. */
export interface ChainSchedule {
  readonly database: { chainAuditEvents(chaining: Chaining): Promise<ChainedEvents> };
  /** From the end of a run to the start of the next, in milliseconds. */
  readonly intervalMs: number;
  /** Called after each failed run. The next run takes place as scheduled. */
  readonly onError: (error: unknown) => void;
  /**
   * Called with the new end of the chain after each run that added to it, and once a second during a run. Stored
   * outside the database, it proves that nothing was removed from the end.
   */
  readonly onHead: (head: ChainHead) => void;
  /** Called after each successful batch, with or without events to chain. */
  readonly onDone?: () => void;
}

/** Shortest time between two reported ends in one run. */
const HEAD_INTERVAL_MS = 1_000;

/**
 * Starts to chain audit events at intervals, the first time after one. Stopping it waits only for the current batch.
 * Does not keep the process running.
 */
export function startChaining(schedule: ChainSchedule): MaintenanceJob {
  const { database, intervalMs, onError, onHead, onDone } = schedule;
  const shutdown = new AbortController();
  const run = async () => {
    const heads = headsOfRun(onHead);
    const onBatch = ({ head }: ChainedEvents) => {
      heads.note(head);
      onDone?.();
    };
    try {
      await database.chainAuditEvents({ signal: shutdown.signal, onBatch });
    } finally {
      heads.reportLast();
    }
  };
  const job = startMaintenanceJob({ run, intervalMs, onError });
  return {
    stop: async () => {
      shutdown.abort();
      await job.stop();
    },
  };
}

/**
 * Reports the first end of a run at once and later ones once a second, because a backlog has many batches per second.
 */
function headsOfRun(onHead: ChainSchedule['onHead']) {
  let unreported: ChainHead | undefined;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  const reportLast = () => {
    if (unreported === undefined) return;
    onHead(unreported);
    unreported = undefined;
    reportedAtMs = performance.now();
  };
  return {
    note: (head: ChainHead | undefined) => {
      unreported = head ?? unreported;
      if (performance.now() - reportedAtMs >= HEAD_INTERVAL_MS) reportLast();
    },
    reportLast,
  };
}
