import type { ClientId } from '@vestibule/protocol';
import type { MonotonicClock, Scheduler } from '@vestibule/protocol/runtime';
import { cacheTag } from './cache-tag.js';
import type { InvalidationLog } from './invalidation-log.js';
import { FALLBACK_AFTER_MS, orStaleFallback, STALE_FALLBACK_MS } from './stale-fallback.js';

/** Whether a client that was read is still current. */
export interface WatchedValidity {
  /** Whether no invalidation event for the client has arrived since. False also when the invalidation stream is interrupted. */
  isCurrent(): boolean;
  /** Whether the client was current within the last seconds, as far as is known. */
  wasRecentlyCurrent(): boolean;
}

/** Watches clients for changes. */
export interface WatchedClients {
  /** Call it before reading a client, and the returned function with the client that was read. */
  start(): (id: ClientId) => WatchedValidity;
  /** Waits for a read, and uses the stale fallback when it fails or takes long. Without a fallback it keeps waiting. */
  orStaleFallback<Result>(read: Promise<Result>, staleFallback: () => Result | undefined): Promise<Result>;
}

/** Options of `watchClients`. */
export interface ClientWatchOptions {
  readonly log: InvalidationLog;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Scheduler;
}

/** Watches clients by the invalidation events about them. */
export function watchClients({ log, monotonic, scheduler }: ClientWatchOptions): WatchedClients {
  return {
    start: () => {
      const mark = { ...log.mark() };
      return (id) => {
        const tags = [cacheTag('client', id)];
        return {
          isCurrent: () => {
            if (!log.isCurrent(monotonic()) || !log.isIntact(mark, tags)) return false;
            mark.sequence = log.sequence();
            return true;
          },
          wasRecentlyCurrent: () =>
            monotonic() - log.watermarkMs(mark) < STALE_FALLBACK_MS && !log.isContradicted(mark, tags),
        };
      };
    },
    orStaleFallback: (read, staleFallback) =>
      orStaleFallback(read, { scheduler, fallbackAfterMs: FALLBACK_AFTER_MS, staleFallback }),
  };
}
