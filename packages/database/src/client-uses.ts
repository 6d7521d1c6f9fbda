import type { ClientRepository, ClientUses } from '@vestibule/clients';
import { type ClientId, type Clock, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { boundedMap } from '@vestibule/protocol/runtime';
import { startMaintenanceJob } from './maintenance-job.js';

/** Options of recording client uses. */
export interface ClientUsesOptions {
  readonly clients: Pick<ClientRepository, 'markUsed'>;
  readonly clock: Clock;
  /** A use within this time after the previous one is not written. */
  readonly intervalSeconds: number;
  /** How long a use may wait to be written in a batch, in milliseconds. Default 1,000. */
  readonly flushMs?: number;
  /** Called when uses could not be written. They are written with the next batch. */
  readonly onError: (error: unknown) => void;
}

/** Records uses of clients in batches. */
export interface RunningClientUses extends ClientUses {
  /** Writes pending uses, and stops. */
  stop(): Promise<void>;
}

/** Clients in memory at a time. Uses of further ones are recorded at their next use, or a second time. */
const MAX_CLIENTS = 10_000;

/**
 * Starts to record uses of clients outside of requests: `record` returns at once and never fails. A use that was
 * recorded recently, by this process or according to the given client, is not recorded again.
 */
export function startClientUses(options: ClientUsesOptions): RunningClientUses {
  const { clients, clock, intervalSeconds, flushMs = 1_000, onError } = options;
  const waiting = new Set<ClientId>();
  const noted = boundedMap<ClientId, EpochSeconds>({ maxEntries: MAX_CLIENTS });
  const flush = async () => {
    const ids = [...waiting].toSorted();
    if (ids.length === 0) return;
    await clients.markUsed(ids, nowSeconds(clock), intervalSeconds);
    for (const id of ids) waiting.delete(id);
  };
  const job = startMaintenanceJob({ run: flush, intervalMs: flushMs, onError });
  return {
    record: ({ id, lastUsedAt }) => {
      const now = nowSeconds(clock);
      const last = Math.max(noted.get(id) ?? 0, lastUsedAt ?? 0);
      if (now - last <= intervalSeconds || waiting.size >= MAX_CLIENTS) return;
      noted.set(id, now);
      waiting.add(id);
    },
    stop: async () => {
      await job.stop();
      await flush().catch(onError);
    },
  };
}
