import { coalescedRuns, type RandomSource } from '@vestibule/protocol';
import { type MonotonicClock, retryWaitMs, type Scheduler } from '@vestibule/protocol/runtime';
import type { DeliveryAttempt } from './delivery-attempt.js';
import type { ClaimedDeliveries, DeliveryOutbox, TurnPosition } from './delivery-outbox.js';
import { deliveryResultWriter } from './delivery-result-writer.js';
import { deliverySlots, type TargetVerdict, UNKNOWN_TARGET_SLOTS } from './delivery-slots.js';
import type { AttemptOutcome } from './evaluate-response.js';
import type { ClaimedDelivery, DeliveryResult } from './logout-delivery.js';

/** Limits of a worker. */
export interface DeliveryBounds {
  /** Parallel deliveries, not counting those that wait for slow clients. */
  readonly concurrency: number;
  /** Maximum number of deliveries that wait for slow clients. */
  readonly slow: number;
  /** Parallel deliveries to one host, not counting slow ones. */
  readonly perHost: number;
  /** How long claimed deliveries are reserved for this process, in milliseconds. */
  readonly leaseMs: number;
  /** Interval at which the outbox is polled without a wake-up, in milliseconds. */
  readonly pollMs: number;
  /** Age at which a delivery is given up, in milliseconds. */
  readonly maxAgeMs: number;
  /** How long deliveries under way may take when the worker stops, in milliseconds. */
  readonly stopMs: number;
}

/** Options of {@link startDeliveryWorker}. */
export interface DeliveryWorkerOptions {
  readonly outbox: Pick<DeliveryOutbox, 'claim' | 'settle'>;
  readonly attempt: DeliveryAttempt;
  readonly bounds: DeliveryBounds;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly random: RandomSource;
  /** Called for each problem, for the log. */
  readonly onProblem: (error: unknown) => void;
  /** Called for every attempt with the result that is stored. */
  readonly onAttempt?: (outcome: AttemptOutcome, result: DeliveryResult, ms: number) => void;
}

/** A running delivery worker. */
export interface DeliveryWorker {
  /** Signals that there may be something to deliver. */
  wake(): void;
  /** Stops claiming. Deliveries under way are finished, or aborted and released if that takes too long. */
  stop(): Promise<void>;
}

const RESULT_PAUSE_MS = 250;

/**
 * Delivers notifications from the outbox: when woken, when a slot becomes free, and at intervals. Needs no coordination
 * with other workers.
 */
export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { outbox, bounds, monotonic, scheduler, onProblem } = options;
  const { concurrency, perHost, leaseMs, pollMs, stopMs } = bounds;
  const slots = deliverySlots({ perHost, failing: Math.ceil(concurrency / 2) }, monotonic);
  const shutdown = new AbortController();
  const underWay = new Set<Promise<void>>();
  const keep = deliveryResultWriter({
    outbox,
    tries: Math.ceil(leaseMs / RESULT_PAUSE_MS),
    pauseMs: RESULT_PAUSE_MS,
    scheduler,
    onProblem,
  });
  const freeSlots = workerSlots(bounds, scheduler, () => wake());
  let from: TurnPosition | undefined;
  let isStopped = false;

  const deliver = async (delivery: ClaimedDelivery, claimedMs: number) => {
    const running = slots.begin(delivery);
    const release = freeSlots.take(running.becomesSlow);
    const startedMs = monotonic();
    // After a pause of the process, another process may have claimed the delivery.
    const isLate = startedMs - claimedMs > leaseMs / 2;
    const outcome: AttemptOutcome = isLate
      ? { verdict: 'released', error: 'late' }
      : await options.attempt(delivery, shutdown.signal);
    const result = resultOf(options, delivery, outcome);
    await keep(result);
    running.end(targetVerdict(outcome));
    release();
    options.onAttempt?.(outcome, result, monotonic() - startedMs);
  };
  const begin = ({ deliveries }: ClaimedDeliveries, claimedMs: number) => {
    for (const delivery of deliveries) {
      const run = deliver(delivery, claimedMs)
        .catch(onProblem)
        .then(() => {
          underWay.delete(run);
          wake();
        });
      underWay.add(run);
    }
  };
  const pump = coalescedRuns(async () => {
    do {
      const limit = freeSlots.free();
      if (isStopped || limit <= 0) return;
      const claimedMs = monotonic();
      const free = slots.free();
      const claimed = await outbox.claim({
        limit,
        leaseMs,
        ...free,
        slotsOfHost: perHost,
        slotsOfTarget: UNKNOWN_TARGET_SLOTS,
        ...(from && { from }),
      });
      from = claimed.next;
      begin(claimed, claimedMs);
    } while (from !== undefined);
  });
  const wake = () => {
    if (!isStopped) pump.next().catch(onProblem);
  };
  let cancelPoll = () => {};
  const poll = () => {
    wake();
    cancelPoll = scheduler.after(pollMs, poll);
  };
  poll();
  return {
    wake,
    stop: async () => {
      isStopped = true;
      cancelPoll();
      await pump.current?.catch(() => undefined);
      const cancel = scheduler.after(stopMs, () => shutdown.abort());
      await Promise.all(underWay);
      cancel();
    },
  };
}

/** Failures on our side say nothing about the client. */
const OWN_FAILURES: readonly string[] = ['not_prepared', 'no_encryption_key'];

function targetVerdict(outcome: AttemptOutcome): TargetVerdict {
  switch (outcome.verdict) {
    case 'delivered':
      return 'responds';
    case 'final':
      return outcome.status === undefined ? 'unknown' : 'responds';
    case 'released':
      return 'unknown';
    case 'retry':
      if (OWN_FAILURES.includes(outcome.error)) return 'unknown';
      return outcome.error === 'timeout' ? 'hangs' : 'fails';
  }
}

/** Delay before a delivery that found no slot is tried again, in milliseconds. */
const NO_ROOM_WAIT_MS = 250;

function resultOf(
  { bounds, random }: Pick<DeliveryWorkerOptions, 'bounds' | 'random'>,
  { id, attempt, ageMs }: ClaimedDelivery,
  outcome: AttemptOutcome,
): DeliveryResult {
  if (outcome.verdict === 'delivered')
    return { id, attempt, status: outcome.status, state: 'delivered', waitMs: 0 };
  const { error, status } = outcome;
  const result = { id, attempt, ...(status !== undefined && { status }), error };
  switch (outcome.verdict) {
    case 'final':
      return { ...result, state: 'dead', waitMs: 0 };
    case 'released':
      return { ...result, state: 'pending', waitMs: error === 'overloaded' ? NO_ROOM_WAIT_MS : 0 };
    case 'retry': {
      const { retryAfterSeconds = 0 } = outcome;
      const waitMs = retryWaitMs({ attempts: attempt, retryAfterSeconds }, random);
      return { ...result, state: ageMs + waitMs > bounds.maxAgeMs ? 'dead' : 'pending', waitMs };
    }
  }
}

/** The slots of one worker. */
interface WorkerSlots {
  /** Number of further deliveries that may start. */
  free(): number;
  /**
   * Takes a slot for a delivery that starts.
   * @param onSlow called when it turns out to be slow
   * @returns a function that frees the slot, to be called once
   */
  take(onSlow: () => void): () => void;
}

/** An attempt that takes longer counts as slow and makes room for another one. */
const SLOW_AFTER_MS = 1_000;

/**
 * Creates the slots of a worker. A delivery that turns out to be slow swaps its slot for one of those reserved for slow
 * deliveries.
 */
function workerSlots(
  { concurrency, slow }: DeliveryBounds,
  scheduler: Pick<Scheduler, 'after'>,
  /** Called when a delivery has become slow, so that another one may start, even if only at its host. */
  onFree: () => void,
): WorkerSlots {
  let free = concurrency;
  let slowFree = slow;
  return {
    free: () => free,
    take: (onSlow) => {
      let isSlow = false;
      free -= 1;
      const cancel = scheduler.after(SLOW_AFTER_MS, () => {
        onSlow();
        if (slowFree > 0) {
          isSlow = true;
          slowFree -= 1;
          free += 1;
        }
        onFree();
      });
      return () => {
        cancel();
        if (isSlow) slowFree += 1;
        else free += 1;
      };
    },
  };
}
