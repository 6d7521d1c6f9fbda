import { type RunningRounds, startRounds } from '../rounds.js';
import type { ChainedEvents, ChainHead, Chaining } from './chain-events.js';

/** How audit events are chained regularly. */
export interface ChainSchedule {
  readonly database: { chainAuditEvents(chaining: Chaining): Promise<ChainedEvents> };
  /** From the end of a round to the start of the next. */
  readonly intervalMs: number;
  /** Told of each round that failed; the next one takes place all the same. */
  readonly onError: (error: unknown) => void;
  /** Told each new end of the chain: kept where the database cannot reach, it proves that nothing was cut off. */
  readonly onHead: (head: ChainHead) => void;
  /** Told of each batch that ended well, with or without anything to chain. */
  readonly onDone?: () => void;
}

/**
 * Chains audit events at intervals, the first time after one. Ending it waits for the batch that is under way alone.
 * Does not keep the process running.
 */
export function startChaining(schedule: ChainSchedule): RunningRounds {
  const { database, intervalMs, onError, onHead, onDone } = schedule;
  const ending = new AbortController();
  const onBatch = ({ head }: ChainedEvents) => {
    if (head !== undefined) onHead(head);
    onDone?.();
  };
  const round = async () => {
    await database.chainAuditEvents({ signal: ending.signal, onBatch });
  };
  const rounds = startRounds({ round, intervalMs, onError });
  return {
    stop: async () => {
      ending.abort();
      await rounds.stop();
    },
  };
}
