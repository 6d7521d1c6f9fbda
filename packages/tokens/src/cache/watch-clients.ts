import type { ClientId } from '@vestibule/protocol';
import { factName } from '../fact-name.js';
import type { MonotonicClock } from '../revocation-feed.js';
import type { AnnouncementLog } from './announcement-log.js';

/** Tells whether what was read of a client still holds. */
export interface WatchedClients {
  /**
   * To be called before reading. What it gives is called with the client that was read, and gives a function that says
   * whether nothing about that client was announced since; false too when that cannot be told at the moment.
   */
  start(): (id: ClientId) => () => boolean;
}

/** Watches clients by what is announced of them. */
export function watchClients(log: AnnouncementLog, monotonic: MonotonicClock): WatchedClients {
  return {
    start: () => {
      const begun = log.mark();
      return (id) => {
        const names = [factName('client', id)];
        const mark = { ...begun };
        return () => {
          if (!log.isCurrent(monotonic()) || !log.isIntact(mark, names)) return false;
          mark.sequence = log.sequence();
          return true;
        };
      };
    },
  };
}
