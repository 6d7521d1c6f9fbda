import type { ClientRepository, ClientUses } from '@vestibule/clients';
import { type ClientId, type Clock, nowSeconds } from '@vestibule/protocol';
import { startRounds } from './rounds.js';

/** How uses of clients are noted. */
export interface ClientUsesOptions {
  readonly clients: Pick<ClientRepository, 'markUsed'>;
  readonly clock: Clock;
  /** A use within this time of the one before is not written. */
  readonly intervalSeconds: number;
  /** How long a use may wait to be written together with others. Default 1,000. */
  readonly flushMs?: number;
  /** Told when uses could not be written; they are tried again with the next ones. */
  readonly onError: (error: unknown) => void;
}

/** Uses of clients that are noted in batches. */
export interface RunningClientUses extends ClientUses {
  /** Writes what is waiting, and ends. */
  stop(): Promise<void>;
}

/** More than so many clients at a time are forgotten: their next use is noted instead. */
const MAX_WAITING = 10_000;

/**
 * Notes uses of clients off the path of requests: `record` returns at once and never fails. What the client row that the
 * caller has at hand says was noted a moment ago is not noted again.
 */
export function startClientUses(options: ClientUsesOptions): RunningClientUses {
  const { clients, clock, intervalSeconds, flushMs = 1_000, onError } = options;
  const waiting = new Set<ClientId>();
  const flush = async () => {
    const ids = [...waiting].toSorted();
    if (ids.length === 0) return;
    await clients.markUsed(ids, nowSeconds(clock), intervalSeconds);
    for (const id of ids) waiting.delete(id);
  };
  const rounds = startRounds({ round: flush, intervalMs: flushMs, onError });
  return {
    record: ({ id, lastUsedAt }) => {
      const isNoted = lastUsedAt !== undefined && nowSeconds(clock) - lastUsedAt <= intervalSeconds;
      if (!isNoted && waiting.size < MAX_WAITING) waiting.add(id);
    },
    stop: async () => {
      await rounds.stop();
      await flush().catch(onError);
    },
  };
}
