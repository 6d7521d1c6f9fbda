import type { ClientId } from '@vestibule/protocol';
import { cacheTag } from '../cache-tag.js';
import type { MonotonicClock } from '../invalidation-stream.js';
import type { Scheduler } from './batched-reads.js';
import type { InvalidationLog } from './invalidation-log.js';
import { orStaleFallback, PATIENCE_MS, STALE_FALLBACK_MS } from './stale-fallback.js';

/** What can be said of something that was read of a client. */
export interface WatchedFacts {
  /** Whether nothing about the client was announced since; false too when that cannot be told at the moment. */
  stillHold(): boolean;
  /** Whether they held within the last seconds, for all that is known. */
  heldLately(): boolean;
}

/** Tells whether what was read of a client still holds. */
export interface WatchedClients {
  /** To be called before reading. What it gives is called with the client that was read. */
  start(): (id: ClientId) => WatchedFacts;
  /** Waits for a read, and falls back when it fails or takes long; without anything to fall back on it waits on. */
  orStaleFallback<Result>(read: Promise<Result>, staleFallback: () => Result | undefined): Promise<Result>;
}

/** What watching clients takes. */
export interface ClientWatchOptions {
  readonly log: InvalidationLog;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Scheduler;
}

/** Watches clients by what is announced of them. */
export function watchClients({ log, monotonic, scheduler }: ClientWatchOptions): WatchedClients {
  return {
    start: () => {
      const mark = { ...log.mark() };
      return (id) => {
        const names = [cacheTag('client', id)];
        return {
          stillHold: () => {
            if (!log.isCurrent(monotonic()) || !log.isIntact(mark, names)) return false;
            mark.sequence = log.sequence();
            return true;
          },
          heldLately: () =>
            monotonic() - log.watermarkMs(mark) < STALE_FALLBACK_MS && !log.isContradicted(mark, names),
        };
      };
    },
    orStaleFallback: (read, staleFallback) =>
      orStaleFallback(read, { scheduler, patienceMs: PATIENCE_MS, staleFallback }),
  };
}
