import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RandomSource } from '@vestibule/protocol';
import { type MonotonicClock, retryWaitMs } from '@vestibule/protocol/runtime';
import type { Change, ChangeDeliveries, FollowChanges } from '@vestibule/tokens/changes';

/** Result of sending one change. */
export interface SendResult {
  readonly isAccepted: boolean;
  /** `Retry-After` of the receiver. */
  readonly retryAfterSeconds?: number | undefined;
}

/** Options of {@link startChangeDelivery}. */
export interface ChangeDeliveryOptions {
  readonly follow: FollowChanges;
  readonly deliveries: ChangeDeliveries;
  /** Sends one change. Must end within a third of the lease. */
  readonly send: (change: Change, signal: AbortSignal) => Promise<SendResult>;
  readonly random: RandomSource;
  readonly monotonic: MonotonicClock;
  /** How long the receiver is reserved for this process without a sign of life, in milliseconds. Default 15,000. */
  readonly leaseMs?: number;
  /** Called when this process no longer delivers, until it has taken the lease again. */
  readonly onLeaseEnd?: () => void;
  /** Called for each failure of the store, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** A running delivery. */
export interface ChangeDelivery {
  /** The change that this process sends now, or sends again after a while. */
  waiting(): Change | undefined;
  /** Sends no further change. The one under way may finish, or is aborted if that takes too long. */
  stop(): Promise<void>;
}

const LEASE_MS = 15_000;
/** Longest random wait between two attempts, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;
/** Time before the store is used again after a failure, in milliseconds. */
const RETRY_MS = 1_000;
/** How long the attempt under way may take when the delivery stops, in milliseconds. */
const STOP_MS = 1_000;

/**
 * Sends changes to a receiver: one after the other in their order, each until it is accepted. Of any number of processes
 * one sends; if it stops, another one continues. A change can be sent twice, for example if the process is killed before
 * it has stored that the change was accepted.
 */
export function startChangeDelivery(options: ChangeDeliveryOptions): ChangeDelivery {
  const { deliveries, monotonic, onProblem, leaseMs = LEASE_MS } = options;
  const [stopping, shutdown] = [new AbortController(), new AbortController()];
  const { signal } = stopping;
  const delivery: Delivery = { ...options, leaseMs, signal, shutdown: shutdown.signal, waiting: undefined };
  const run = async () => {
    while (!signal.aborted) {
      const holder = randomUUID();
      try {
        const takenMs = monotonic();
        const progress = await deliveries.take(holder, leaseMs);
        if (progress !== undefined)
          await deliverWhileHeld(delivery, { holder, takenMs, lastEventId: progress.eventId });
        if (!signal.aborted) await pause(leaseMs / 3, signal);
      } catch (error) {
        onProblem(error);
        await pause(RETRY_MS, signal);
      }
    }
  };
  const running = run();
  return {
    waiting: () => delivery.waiting,
    stop: async () => {
      stopping.abort();
      const timer = setTimeout(() => shutdown.abort(), STOP_MS);
      await running;
      clearTimeout(timer);
    },
  };
}

/** A delivery and its state. */
interface Delivery extends ChangeDeliveryOptions {
  readonly leaseMs: number;
  /** Aborted when no further change may be sent. */
  readonly signal: AbortSignal;
  /** Aborted when the attempt under way must end. */
  readonly shutdown: AbortSignal;
  waiting: Change | undefined;
}

/** A lease that was just taken, with the position that goes with it. */
interface Taken {
  readonly holder: string;
  readonly takenMs: number;
  readonly lastEventId: string | undefined;
}

/** Sends the changes after a position. Returns when the lease is lost or the delivery stops. */
async function deliverWhileHeld(delivery: Delivery, taken: Taken): Promise<void> {
  const { deliveries, follow, onProblem, onLeaseEnd } = delivery;
  const { holder, lastEventId } = taken;
  const lease = keepLease(delivery, taken);
  try {
    for await (const changes of follow({ lastEventId }, lease.signal)) {
      for (const change of changes) {
        delivery.waiting = change;
        if (!(await send(delivery, lease, change)) || !(await deliveries.advance(holder, change.id))) return;
      }
      delivery.waiting = undefined;
    }
  } finally {
    delivery.waiting = undefined;
    onLeaseEnd?.();
    await lease.end();
    await deliveries.release(holder).catch(onProblem);
  }
}

/** Sends a change until it is accepted. Returns `false` if it may not be sent any more. */
async function send(delivery: Delivery, lease: Lease, change: Change): Promise<boolean> {
  const { random, shutdown } = delivery;
  for (let attempts = 1; lease.isHeld(); attempts += 1) {
    const { isAccepted, retryAfterSeconds } = await delivery.send(change, shutdown);
    if (isAccepted) return true;
    await pause(
      retryWaitMs({ attempts, retryAfterSeconds, longestMs: LONGEST_WAIT_MS }, random),
      lease.signal,
    );
  }
  return false;
}

/** A lease that is renewed until it ends or is lost. */
interface Lease {
  /** Aborted when it is lost, or when no further change may be sent. */
  readonly signal: AbortSignal;
  /** Whether the process has it for another attempt at least. */
  isHeld(): boolean;
  end(): Promise<void>;
}

function keepLease(
  { deliveries, leaseMs, monotonic, onProblem, ...delivery }: Delivery,
  { holder, takenMs }: Taken,
): Lease {
  const over = new AbortController();
  const signal = AbortSignal.any([delivery.signal, over.signal]);
  let renewedMs = takenMs;
  const renew = async () => {
    const startedMs = monotonic();
    if (await deliveries.renew(holder, leaseMs)) renewedMs = startedMs;
    else over.abort();
  };
  const run = async () => {
    while (!over.signal.aborted) {
      await pause(leaseMs / 3, over.signal);
      if (!over.signal.aborted) await renew().catch(onProblem);
    }
  };
  const running = run();
  return {
    signal,
    isHeld: () => !signal.aborted && monotonic() - renewedMs < (leaseMs * 2) / 3,
    end: () => {
      over.abort();
      return running;
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
