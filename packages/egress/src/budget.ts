import { answeredOrigins } from './answered-origins.js';
import { EgressFault } from './egress-fault.js';

/** How many requests may run and wait at the same time. */
export interface BudgetLimits {
  /** Running requests in all. */
  readonly maxConcurrent: number;
  /** Running requests to one origin: host name or address, with port. */
  readonly maxConcurrentPerOrigin: number;
  /** Running requests to origins that have never answered, so that dead addresses do not take all room. */
  readonly maxConcurrentUnanswered: number;
  /** Waiting requests in all. */
  readonly maxQueued: number;
  /** Waiting requests for one origin, so that one busy origin does not fill the queue. */
  readonly maxQueuedPerOrigin: number;
  /** Waiting requests for origins that have never answered. */
  readonly maxQueuedUnanswered: number;
}

/** Gives room back; to be called exactly once. @param hasAnswered Whether a response came. */
export type Leave = (hasAnswered: boolean) => void;

/** Room for requests. */
export interface Budget {
  /**
   * Waits for room, in the order of arrival among those whose origin has room, and takes it.
   *
   * @throws EgressFault `overloaded` when the queue is full or the deadline passes first, `aborted` when the caller
   * gives up.
   */
  enter(origin: string, signal: AbortSignal): Promise<Leave>;
}

interface Waiter {
  readonly origin: string;
  readonly admit: () => void;
}

class Lane {
  readonly #limits: BudgetLimits;
  readonly #answered = answeredOrigins();
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
      (this.#answered.has(origin) || this.#unanswered(this.#running) < maxConcurrentUnanswered)
    );
  }

  hasQueueRoom(origin: string): boolean {
    const { maxQueued, maxQueuedPerOrigin, maxQueuedUnanswered } = this.#limits;
    const waiting = this.#queue.map((waiter) => waiter.origin);
    return (
      waiting.length < maxQueued &&
      countOf(waiting, origin) < maxQueuedPerOrigin &&
      (this.#answered.has(origin) || this.#unanswered(waiting) < maxQueuedUnanswered)
    );
  }

  take(origin: string): Leave {
    this.#running.push(origin);
    return (hasAnswered) => {
      if (hasAnswered) this.#answered.add(origin);
      this.#running.splice(this.#running.indexOf(origin), 1);
      this.#admitWaiting();
    };
  }

  join(waiter: Waiter): void {
    this.#queue.push(waiter);
  }

  leave(waiter: Waiter): void {
    const index = this.#queue.indexOf(waiter);
    if (index !== -1) this.#queue.splice(index, 1);
  }

  #unanswered(origins: readonly string[]): number {
    return origins.filter((origin) => !this.#answered.has(origin)).length;
  }

  /** An origin that has just answered makes room for more than one. */
  #admitWaiting(): void {
    for (;;) {
      const next = this.#queue.find((waiter) => this.hasRoom(waiter.origin));
      if (next === undefined) return;
      this.leave(next);
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

function waitForRoom(lane: Lane, origin: string, signal: AbortSignal): Promise<Leave> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      origin,
      admit: () => {
        signal.removeEventListener('abort', giveUp);
        resolve(lane.take(origin));
      },
    };
    const giveUp = () => {
      lane.leave(waiter);
      reject(abortFault(signal));
    };
    signal.addEventListener('abort', giveUp, { once: true });
    lane.join(waiter);
  });
}

/** Makes room for a number of requests. */
export function createBudget(limits: BudgetLimits): Budget {
  const lane = new Lane(limits);
  return {
    enter: async (origin, signal) => {
      if (signal.aborted) throw abortFault(signal);
      if (lane.hasRoom(origin)) return lane.take(origin);
      if (!lane.hasQueueRoom(origin)) throw new EgressFault('overloaded');
      return waitForRoom(lane, origin, signal);
    },
  };
}
