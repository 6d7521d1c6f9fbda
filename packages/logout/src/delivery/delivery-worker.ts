import { type RandomSource, sharedRuns } from '@vestibule/protocol';
import type { MonotonicClock, Scheduler } from '@vestibule/tokens';
import type { ClaimedDeliveries, DeliveryOutbox, TurnPosition } from './delivery-outbox.js';
import { deliveryResultWriter } from './delivery-result-writer.js';
import { deliverySlots, type TargetVerdict, UNKNOWN_TARGET_SLOTS } from './delivery-slots.js';
import type { AttemptOutcome } from './judge-response.js';
import type { ClaimedDelivery, DeliveryResult } from './logout-delivery.js';
import { retryWaitMs } from './retry-wait.js';
import { type SlotLimits, workerSlots } from './worker-slots.js';

/** The bounds of a worker. */
export interface DeliveryBounds extends SlotLimits {
  /** Deliveries at a time to one host, without those that are slow. */
  readonly perHost: number;
  /** How long nobody else gets what was claimed, in milliseconds. */
  readonly leaseMs: number;
  /** How often the outbox is looked at without being woken, in milliseconds. */
  readonly pollMs: number;
  /** How long after it was asked for a delivery is given up, in milliseconds. */
  readonly maxAgeMs: number;
  /** How long those that are under way may take when the worker stops, in milliseconds. */
  readonly stopMs: number;
}

/** What a worker is made of. */
export interface DeliveryWorkerOptions {
  readonly outbox: Pick<DeliveryOutbox, 'claim' | 'settle'>;
  readonly attempt: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;
  readonly bounds: DeliveryBounds;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly random: RandomSource;
  /** Told what cannot be done now; for the log. */
  readonly onProblem: (error: unknown) => void;
  /** Told of every attempt, and what is kept of it. */
  readonly onAttempt?: (outcome: AttemptOutcome, result: DeliveryResult, ms: number) => void;
}

/** A worker that delivers. */
export interface DeliveryWorker {
  /** There may be something to deliver. */
  wake(): void;
  /** Claims nothing any more; what is under way is finished, or cut off and released when it takes too long. */
  stop(): Promise<void>;
}

const RESULT_PAUSE_MS = 250;

/**
 * Delivers what waits in the outbox: when it is woken, when room becomes free, and at intervals. Knows of no other
 * worker and needs none.
 */
export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { outbox, bounds, monotonic, scheduler, onProblem } = options;
  const { concurrency, perHost, leaseMs, pollMs, stopMs } = bounds;
  const slots = deliverySlots({ perHost, failing: Math.ceil(concurrency / 2) }, monotonic);
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  const keep = deliveryResultWriter({
    outbox,
    tries: Math.ceil(leaseMs / RESULT_PAUSE_MS),
    pauseMs: RESULT_PAUSE_MS,
    scheduler,
    onProblem,
  });
  const places = workerSlots(bounds, scheduler, () => wake());
  let from: TurnPosition | undefined;
  let isStopped = false;

  const deliver = async (delivery: ClaimedDelivery, claimedMs: number) => {
    const running = slots.begin(delivery);
    const leave = places.take(running.becomesSlow);
    const startedMs = monotonic();
    // A process that stood still may find that someone else has it by now.
    const isLate = startedMs - claimedMs > leaseMs / 2;
    const outcome: AttemptOutcome = isLate
      ? { verdict: 'released', error: 'late' }
      : await options.attempt(delivery, ending.signal);
    const result = resultOf(options, delivery, outcome);
    await keep(result);
    running.end(targetVerdict(outcome));
    leave();
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
  const pump = sharedRuns(async () => {
    do {
      const limit = places.free();
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
  let callOffPoll = () => {};
  const poll = () => {
    wake();
    callOffPoll = scheduler.after(pollMs, poll);
  };
  poll();
  return {
    wake,
    stop: async () => {
      isStopped = true;
      callOffPoll();
      await pump.present?.catch(() => undefined);
      const callOff = scheduler.after(stopMs, () => ending.abort());
      await Promise.all(underWay);
      callOff();
    },
  };
}

/** Failures of our own say nothing about the client. */
const OWN_FAILURES: readonly string[] = ['not_prepared', 'no_encryption_key'];

function targetVerdict({ verdict, status, error }: AttemptOutcome): TargetVerdict {
  if (verdict === 'delivered') return 'answers';
  if (verdict === 'final') return status === undefined ? 'unknown' : 'answers';
  if (verdict === 'released' || OWN_FAILURES.includes(error ?? '')) return 'unknown';
  return error === 'timeout' ? 'hangs' : 'fails';
}

/** How long what had no room waits, in milliseconds. */
const NO_ROOM_WAIT_MS = 250;

function resultOf(
  { bounds, random }: Pick<DeliveryWorkerOptions, 'bounds' | 'random'>,
  { id, attempt, ageMs }: ClaimedDelivery,
  { verdict, status, error, retryAfterSeconds = 0 }: AttemptOutcome,
): DeliveryResult {
  const facts = {
    id,
    attempt,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  };
  if (verdict === 'delivered') return { ...facts, state: 'delivered', waitMs: 0 };
  if (verdict === 'final') return { ...facts, state: 'dead', waitMs: 0 };
  if (verdict === 'released')
    return { ...facts, state: 'pending', waitMs: error === 'overloaded' ? NO_ROOM_WAIT_MS : 0 };
  const waitMs = retryWaitMs({ attempts: attempt, retryAfterSeconds }, random);
  const isTooOld = ageMs + waitMs > bounds.maxAgeMs;
  return { ...facts, state: isTooOld ? 'dead' : 'pending', waitMs };
}
