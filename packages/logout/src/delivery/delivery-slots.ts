import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { DeliveryTarget, HostSlots, TargetSlots } from './delivery-outbox.js';

/**
 * Result of an attempt for its client: the client responded, the attempt failed, the connection hung, or the attempt
 * says nothing about the client.
 */
export type TargetVerdict = 'responds' | 'fails' | 'hangs' | 'unknown';

/** Limits of parallel deliveries. */
export interface HostSlotLimits {
  /** To one host, not counting slow ones. */
  readonly perHost: number;
  /** To all recently failing clients together. */
  readonly failing: number;
}

/** An attempt under way. */
export interface RunningAttempt {
  /** Marks the attempt as slow, so that others at its host need not wait for it. */
  becomesSlow(): void;
  end(verdict: TargetVerdict): void;
}

/** The free slots now. Hosts and clients that are not listed have those of unknown ones. */
export interface FreeSlots {
  readonly hosts: readonly HostSlots[];
  readonly targets: readonly TargetSlots[];
}

/** Limits parallel deliveries to each host and to each client there. */
export interface DeliverySlots {
  begin(target: DeliveryTarget): RunningAttempt;
  free(): FreeSlots;
}

/** Slots of an unknown client. */
export const UNKNOWN_TARGET_SLOTS = 1;

/** Consecutive failures after which a client is paused. */
const TOLERATED_FAILURES = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Maximum number of clients kept; beyond that the least recently used are dropped. */
const MAX_TARGETS = 2_000;

interface HostRecord {
  /** Attempts under way that are not slow. */
  fast: number;
  /** Attempts under way that are slow. */
  slow: number;
}

interface TargetRecord extends DeliveryTarget {
  running: number;
  /** Of those, the slow ones. */
  slow: number;
  slots: number;
  failures: number;
  /** Whether the last evaluated attempt hung. */
  isHanging: boolean;
  pausedUntilMs: number;
}

/**
 * A client at a host starts with one parallel delivery. Each response doubles that, each failure resets it to one, and
 * after some failures in a row the client is paused, for longer each time. All of this concerns that client alone. A
 * client never gets the last slot of its host, and an attempt that has become slow gives its slot back and keeps its
 * own client waiting, so that the other clients of the host always find one. One rule concerns the host: clients whose
 * connections hang start nothing more there while as many attempts are slow as the host has slots.
 */
export function deliverySlots(
  { perHost, failing }: HostSlotLimits,
  monotonic: MonotonicClock,
): DeliverySlots {
  const hosts = new Map<string, HostRecord>();
  // Not a `boundedMap`: a client with a running attempt must never be evicted.
  const targets = new Map<string, TargetRecord>();
  const mostOfTarget = Math.max(1, perHost - 1);

  /** The record of a client, which becomes the most recently used. */
  const used = ({ host, clientId }: DeliveryTarget): TargetRecord => {
    const key = `${host} ${clientId}`;
    const record = targets.get(key) ?? {
      host,
      clientId,
      running: 0,
      slow: 0,
      slots: UNKNOWN_TARGET_SLOTS,
      failures: 0,
      isHanging: false,
      pausedUntilMs: 0,
    };
    targets.delete(key);
    targets.set(key, record);
    return record;
  };
  const forget = () => {
    for (const [key, { running }] of targets) {
      if (targets.size <= MAX_TARGETS) return;
      if (running === 0) targets.delete(key);
    }
  };
  const evaluate = (record: TargetRecord, verdict: TargetVerdict) => {
    if (verdict === 'unknown') return;
    record.isHanging = verdict === 'hangs';
    if (verdict === 'responds') {
      record.failures = 0;
      record.slots = Math.min(mostOfTarget, record.slots * 2);
      record.pausedUntilMs = 0;
      return;
    }
    record.failures += 1;
    record.slots = UNKNOWN_TARGET_SLOTS;
    const beyond = record.failures - TOLERATED_FAILURES;
    if (beyond >= 0)
      record.pausedUntilMs = monotonic() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** beyond);
  };
  const freeOfTarget = (record: TargetRecord, nowMs: number): number => {
    const isHeldUp = record.slow > 0 || record.pausedUntilMs > nowMs;
    const isHostHanging = record.isHanging && (hosts.get(record.host)?.slow ?? 0) >= perHost;
    return isHeldUp || isHostHanging ? 0 : Math.max(0, record.slots - record.running);
  };
  return {
    begin: (target) => {
      const record = used(target);
      const host = hosts.get(target.host) ?? { fast: 0, slow: 0 };
      hosts.set(target.host, host);
      let isSlow = false;
      record.running += 1;
      host.fast += 1;
      return {
        becomesSlow: () => {
          isSlow = true;
          record.slow += 1;
          host.fast -= 1;
          host.slow += 1;
        },
        end: (verdict) => {
          record.running -= 1;
          if (isSlow) {
            record.slow -= 1;
            host.slow -= 1;
          } else host.fast -= 1;
          if (host.fast + host.slow === 0) hosts.delete(target.host);
          evaluate(used(target), verdict);
          forget();
        },
      };
    },
    free: () => {
      const nowMs = monotonic();
      const records = [...targets.values()];
      const failingNow = records.reduce((sum, record) => sum + (record.failures > 0 ? record.running : 0), 0);
      let left = Math.max(0, failing - failingNow);
      return {
        hosts: [...hosts].map(([host, { fast }]) => ({ host, slots: Math.max(0, perHost - fast) })),
        targets: records.map((record) => {
          const { host, clientId, failures } = record;
          const slots = freeOfTarget(record, nowMs);
          if (failures === 0 || slots === 0) return { host, clientId, slots };
          // Least recently used clients first, so that each has its turn.
          const granted = Math.min(slots, left);
          left -= granted;
          return { host, clientId, slots: granted };
        }),
      };
    },
  };
}
