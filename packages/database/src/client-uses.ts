import type { ClientRepository, ClientUses } from '@vestibule/clients';
import { type ClientId, type Clock, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { startMaintenanceJob } from './rounds.js';

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

/** More clients than that are not kept in mind at a time: their next use is noted instead, or once more. */
const MAX_CLIENTS = 10_000;

/**
 * Notes uses of clients off the path of requests: `record` returns at once and never fails. What was noted a moment
 * ago, here or by what the caller knows of the client, is not noted again.
 */
export function startClientUses(options: ClientUsesOptions): RunningClientUses {
  const { clients, clock, intervalSeconds, flushMs = 1_000, onError } = options;
  const waiting = new Set<ClientId>();
  const noted = new Map<ClientId, EpochSeconds>();
  const flush = async () => {
    const ids = [...waiting].toSorted();
    if (ids.length === 0) return;
    await clients.markUsed(ids, nowSeconds(clock), intervalSeconds);
    for (const id of ids) waiting.delete(id);
  };
  const rounds = startMaintenanceJob({ round: flush, intervalMs: flushMs, onError });
  return {
    record: ({ id, lastUsedAt }) => {
      const now = nowSeconds(clock);
      const last = Math.max(noted.get(id) ?? 0, lastUsedAt ?? 0);
      if (now - last <= intervalSeconds || waiting.size >= MAX_CLIENTS) return;
      if (noted.size >= MAX_CLIENTS) noted.clear();
      noted.set(id, now);
      waiting.add(id);
    },
    stop: async () => {
      await rounds.stop();
      await flush().catch(onError);
    },
  };
}
