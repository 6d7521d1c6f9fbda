import type { ClientId } from '@vestibule/protocol';
import { factName } from '../fact-name.js';
import type { MonotonicClock } from '../revocation-feed.js';
import type { AnnouncementLog } from './announcement-log.js';
import type { Scheduler } from './batched-reads.js';
import { LAST_RESORT_MS, orLastResort, PATIENCE_MS } from './last-resort.js';

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
  orLastResort<Result>(read: Promise<Result>, lastResort: () => Result | undefined): Promise<Result>;
}

/** What watching clients takes. */
export interface ClientWatchOptions {
  readonly log: AnnouncementLog;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Scheduler;
}

/** Watches clients by what is announced of them. */
export function watchClients({ log, monotonic, scheduler }: ClientWatchOptions): WatchedClients {
  return {
    start: () => {
      const mark = { ...log.mark() };
      return (id) => {
        const names = [factName('client', id)];
        return {
          stillHold: () => {
            if (!log.isCurrent(monotonic()) || !log.isIntact(mark, names)) return false;
            mark.sequence = log.sequence();
            return true;
          },
          heldLately: () =>
            monotonic() - log.provenAtMs(mark) < LAST_RESORT_MS && !log.isContradicted(mark, names),
        };
      };
    },
    orLastResort: (read, lastResort) =>
      orLastResort(read, { scheduler, patienceMs: PATIENCE_MS, lastResort }),
  };
}
