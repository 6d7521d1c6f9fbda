import type { MonotonicClock } from '@vestibule/tokens';
import type { DeliveryTarget, HostSlots, TargetSlots } from './delivery-outbox.js';

/**
 * How an attempt ended for its client: the client answered, it failed, its connection hung, or nothing was learnt.
 */
export type TargetVerdict = 'answers' | 'fails' | 'hangs' | 'unknown';

/** The limits of deliveries that run at the same time. */
export interface SlotLimits {
  /** To one host, without those that are slow. */
  readonly perHost: number;
  /** To all clients together that have failed lately. */
  readonly failing: number;
}

/** An attempt that runs. */
export interface RunningAttempt {
  /** It takes long: others at its host need not wait for it. */
  becomesSlow(): void;
  end(verdict: TargetVerdict): void;
}

/** The free slots, now. Hosts and clients that are not named have those of unknown ones. */
export interface FreeSlots {
  readonly hosts: readonly HostSlots[];
  readonly targets: readonly TargetSlots[];
}

/** Limits how many deliveries run at each host and for each client there. */
export interface DeliverySlots {
  begin(target: DeliveryTarget): RunningAttempt;
  free(): FreeSlots;
}

/** Slots of a client about which nothing is known. */
export const UNKNOWN_TARGET_SLOTS = 1;

/** Failures in a row after which a client is left alone for a while. */
const TOLERATED_FAILURES = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Clients that are remembered; beyond that the least recently used ones are not. */
const MAX_TARGETS = 2_000;

interface HostRecord {
  /** Attempts that are not slow. */
  fast: number;
  /** Attempts that are slow. */
  slow: number;
}

interface TargetRecord extends DeliveryTarget {
  running: number;
  /** Of those the ones that are slow. */
  slow: number;
  slots: number;
  failures: number;
  /** Whether the last attempt that was judged hung. */
  isHanging: boolean;
  pausedUntilMs: number;
}

/**
 * A client at a host begins with one delivery at a time; each that it answers doubles that, each failure leads back to
 * one, and after some failures in a row the client is left alone, for longer each time. All of this concerns that client
 * alone. A client never takes the last slot of its host, and an attempt that has become slow gives its slot back and
 * keeps its own client waiting, so that the other clients of the host always find one. Against the host itself counts one
 * thing: clients whose connections hang begin nothing more there while as many attempts are slow as the host has slots.
 */
export function deliverySlots({ perHost, failing }: SlotLimits, monotonic: MonotonicClock): DeliverySlots {
  const hosts = new Map<string, HostRecord>();
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
  const judge = (record: TargetRecord, verdict: TargetVerdict) => {
    if (verdict === 'unknown') return;
    record.isHanging = verdict === 'hangs';
    if (verdict === 'answers') {
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
          judge(used(target), verdict);
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
          // The clients that were used least recently come first, so that all of them have their turn.
          const granted = Math.min(slots, left);
          left -= granted;
          return { host, clientId, slots: granted };
        }),
      };
    },
  };
}
