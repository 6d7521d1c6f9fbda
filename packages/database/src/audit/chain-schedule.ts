import { type MaintenanceJob, startMaintenanceJob } from '../rounds.js';
import type { ChainedEvents, ChainHead, Chaining } from './chain-events.js';

/** How audit events are chained regularly. */
export interface ChainSchedule {
  readonly database: { chainAuditEvents(chaining: Chaining): Promise<ChainedEvents> };
  /** From the end of a round to the start of the next. */
  readonly intervalMs: number;
  /** Told of each round that failed; the next one takes place all the same. */
  readonly onError: (error: unknown) => void;
  /**
   * Told the new end of the chain after each round that added to it, and once a second while one goes on: kept where
   * the database cannot reach, it proves that nothing was cut off.
   */
  readonly onHead: (head: ChainHead) => void;
  /** Told of each batch that ended well, with or without anything to chain. */
  readonly onDone?: () => void;
}

/** The least time between two ends of one round. */
const HEAD_INTERVAL_MS = 1_000;

/**
 * Chains audit events at intervals, the first time after one. Ending it waits for the batch that is under way alone.
 * Does not keep the process running.
 */
export function startChaining(schedule: ChainSchedule): MaintenanceJob {
  const { database, intervalMs, onError, onHead, onDone } = schedule;
  const ending = new AbortController();
  const round = async () => {
    const heads = headsOfRound(onHead);
    const onBatch = ({ head }: ChainedEvents) => {
      heads.note(head);
      onDone?.();
    };
    try {
      await database.chainAuditEvents({ signal: ending.signal, onBatch });
    } finally {
      heads.tellLast();
    }
  };
  const rounds = startMaintenanceJob({ round, intervalMs, onError });
  return {
    stop: async () => {
      ending.abort();
      await rounds.stop();
    },
  };
}

/**
 * A backlog has an end with every batch, many in a second; the first is told at once, so that none waits for the last.
 */
function headsOfRound(onHead: ChainSchedule['onHead']) {
  let untold: ChainHead | undefined;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tellLast = () => {
    if (untold === undefined) return;
    onHead(untold);
    untold = undefined;
    toldAtMs = performance.now();
  };
  return {
    note: (head: ChainHead | undefined) => {
      untold = head ?? untold;
      if (performance.now() - toldAtMs >= HEAD_INTERVAL_MS) tellLast();
    },
    tellLast,
  };
}
