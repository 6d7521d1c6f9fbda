import type { MonotonicClock } from '@vestibule/tokens';
import type { HostRoom } from './delivery-outbox.js';

/** How an attempt left its host: it answers, it does not, or nothing was learnt. */
export type HostVerdict = 'answers' | 'fails' | 'unknown';

/** The limits of hosts. */
export interface HostLimits {
  /** Deliveries at a time to a host that answers. */
  readonly perHost: number;
  /** Deliveries at a time to all hosts together that have failed lately. */
  readonly failing: number;
}

/** Keeps how much each host is trusted with. */
export interface HostRooms {
  /** A delivery to the host begins. */
  enter(host: string): void;
  /** It has ended. */
  leave(host: string, verdict: HostVerdict): void;
  /** The hosts whose room is not that of an unknown one, now. */
  rooms(): readonly HostRoom[];
}

/** Room at a host about which nothing is known. */
export const UNKNOWN_HOST_PLACES = 1;

/** Failures in a row after which a host is left alone for a while. */
const TOLERATED_FAILURES = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Hosts that are remembered; beyond that the ones that were met least lately are not. */
const MAX_HOSTS = 2_000;

interface HostRecord {
  running: number;
  places: number;
  failures: number;
  closedUntilMs: number;
}

/**
 * A host begins with one delivery at a time. Each that it answers doubles that up to its limit, and each that it does
 * not leads back to one; after some in a row it is left alone, for longer each time, and then tried with one again. So
 * hosts that hang hold no more than a delivery each, and together no more than their part.
 */
export function hostRooms({ perHost, failing }: HostLimits, monotonic: MonotonicClock): HostRooms {
  const hosts = new Map<string, HostRecord>();

  /** The record of a host, which becomes the latest. */
  const met = (host: string): HostRecord => {
    const record = hosts.get(host) ?? {
      running: 0,
      places: UNKNOWN_HOST_PLACES,
      failures: 0,
      closedUntilMs: 0,
    };
    hosts.delete(host);
    hosts.set(host, record);
    return record;
  };
  const forget = () => {
    for (const [host, { running }] of hosts) {
      if (hosts.size <= MAX_HOSTS) return;
      if (running === 0) hosts.delete(host);
    }
  };
  const judge = (record: HostRecord, verdict: HostVerdict) => {
    if (verdict === 'answers') {
      record.failures = 0;
      record.places = Math.min(perHost, record.places * 2);
      record.closedUntilMs = 0;
    } else if (verdict === 'fails') {
      record.failures += 1;
      record.places = UNKNOWN_HOST_PLACES;
      const beyond = record.failures - TOLERATED_FAILURES;
      if (beyond >= 0)
        record.closedUntilMs = monotonic() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** beyond);
    }
  };
  return {
    enter: (host) => {
      met(host).running += 1;
    },
    leave: (host, verdict) => {
      const record = met(host);
      record.running -= 1;
      judge(record, verdict);
      forget();
    },
    rooms: () => {
      const nowMs = monotonic();
      const records = [...hosts];
      const failingNow = records.reduce(
        (sum, [, { failures, running }]) => sum + (failures > 0 ? running : 0),
        0,
      );
      let left = Math.max(0, failing - failingNow);
      return records.map(([host, { running, places, failures, closedUntilMs }]) => {
        const free = closedUntilMs > nowMs ? 0 : Math.max(0, places - running);
        if (failures === 0 || free === 0) return { host, places: free };
        // The hosts that were met least lately come first, so that all of them have their turn.
        const granted = Math.min(free, left);
        left -= granted;
        return { host, places: granted };
      });
    },
  };
}
