import { boundedMap } from '@vestibule/protocol/runtime';
import { EgressFault } from './egress-fault.js';

/** Origins known to respond; the one that responded longest ago is forgotten first. */
const MAX_ORIGINS = 10_000;

/** Limits of running and waiting requests. */
export interface BudgetLimits {
  /** Running requests in all. */
  readonly maxConcurrent: number;
  /** Running requests to one origin: host name or address, with port. */
  readonly maxConcurrentPerOrigin: number;
  /** Running requests to origins that have never responded, so that dead addresses do not use up the limit. */
  readonly maxConcurrentUnanswered: number;
  /** Waiting requests in all. */
  readonly maxQueued: number;
  /** Waiting requests for one origin, so that one busy origin does not fill the queue. */
  readonly maxQueuedPerOrigin: number;
  /** Waiting requests for origins that have never responded. */
  readonly maxQueuedUnanswered: number;
}

/** Releases the slot of a request; call it exactly once. @param hasAnswered whether the origin responded */
export type Release = (hasAnswered: boolean) => void;

/** Concurrency limits of requests, overall and per origin. */
export interface Budget {
  /**
   * Waits for a slot and takes it. Requests are served in order of arrival, except that those whose origin has no free
   * slot are passed over.
   *
   * @throws EgressFault `overloaded` when the queue is full or the deadline passes first, `aborted` when the caller
   * aborts.
   */
  acquire(origin: string, signal: AbortSignal): Promise<Release>;
}

interface Waiter {
  readonly origin: string;
  readonly admit: () => void;
}

class Slots {
  readonly #limits: BudgetLimits;
  /** Origins that have responded to a request with HTTP. */
  readonly #answered = boundedMap<string, true>({ maxEntries: MAX_ORIGINS });
  /** The origin of each running request. */
  readonly #running: string[] = [];
  readonly #queue: Waiter[] = [];

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  hasRoom(origin: string): boolean {
    const { maxConcurrent, maxConcurrentPerOrigin, maxConcurrentUnanswered } = this.#limits;
    return (
      this.#running.length < maxConcurrent &&
      countOf(this.#running, origin) < maxConcurrentPerOrigin &&
      (this.#answered.get(origin) || this.#unanswered(this.#running) < maxConcurrentUnanswered)
    );
  }

  hasQueueRoom(origin: string): boolean {
    const { maxQueued, maxQueuedPerOrigin, maxQueuedUnanswered } = this.#limits;
    const waiting = this.#queue.map((waiter) => waiter.origin);
    return (
      waiting.length < maxQueued &&
      countOf(waiting, origin) < maxQueuedPerOrigin &&
      (this.#answered.get(origin) || this.#unanswered(waiting) < maxQueuedUnanswered)
    );
  }

  acquire(origin: string): Release {
    this.#running.push(origin);
    return (hasAnswered) => {
      if (hasAnswered) this.#answered.set(origin, true);
      this.#running.splice(this.#running.indexOf(origin), 1);
      this.#admitWaiting();
    };
  }

  enqueue(waiter: Waiter): void {
    this.#queue.push(waiter);
  }

  dequeue(waiter: Waiter): void {
    const index = this.#queue.indexOf(waiter);
    if (index !== -1) this.#queue.splice(index, 1);
  }

  #unanswered(origins: readonly string[]): number {
    return origins.filter((origin) => !this.#answered.get(origin)).length;
  }

  /** More than one may be admitted, because an origin that has just responded leaves the unanswered limit. */
  #admitWaiting(): void {
    for (;;) {
      const next = this.#queue.find((waiter) => this.hasRoom(waiter.origin));
      if (next === undefined) return;
      this.dequeue(next);
      next.admit();
    }
  }
}

function countOf(origins: readonly string[], origin: string): number {
  return origins.filter((one) => one === origin).length;
}

function abortFault(signal: AbortSignal): EgressFault {
  const { reason } = signal;
  return reason instanceof EgressFault && reason.reason === 'aborted'
    ? reason
    : new EgressFault('overloaded');
}

function waitForSlot(slots: Slots, origin: string, signal: AbortSignal): Promise<Release> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      origin,
      admit: () => {
        signal.removeEventListener('abort', giveUp);
        resolve(slots.acquire(origin));
      },
    };
    const giveUp = () => {
      slots.dequeue(waiter);
      reject(abortFault(signal));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    slots.enqueue(waiter);
  });
}

/** Creates the concurrency limits of an egress. */
export function createBudget(limits: BudgetLimits): Budget {
  const slots = new Slots(limits);
  return {
    acquire: async (origin, signal) => {
      if (signal.aborted) throw abortFault(signal);
      if (slots.hasRoom(origin)) return slots.acquire(origin);
      if (!slots.hasQueueRoom(origin)) throw new EgressFault('overloaded');
      return waitForSlot(slots, origin, signal);
    },
  };
}
