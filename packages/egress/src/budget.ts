import { EgressFault } from './egress-fault.js';

/** How many requests may run and wait at the same time. */
export interface BudgetLimits {
  /** Running requests in all. */
  readonly maxConcurrent: number;
  /** Running requests to one host name or address. */
  readonly maxConcurrentPerHost: number;
  /** Waiting requests in all. */
  readonly maxQueued: number;
  /** Waiting requests for one host name or address, so that one busy host does not fill the queue. */
  readonly maxQueuedPerHost: number;
}

/** Room for requests. */
export interface Budget {
  /**
   * Waits for room, in the order of arrival among those whose host has room, and takes it.
   *
   * @returns what gives the room back; to be called exactly once.
   * @throws EgressFault `overloaded` when the queue is full or the deadline passes first, `aborted` when the caller
   * gives up.
   */
  enter(host: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiter {
  readonly host: string;
  readonly admit: () => void;
}

class Lane {
  readonly #limits: BudgetLimits;
  readonly #runningByHost = new Map<string, number>();
  readonly #queue: Waiter[] = [];
  #running = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  hasRoom(host: string): boolean {
    const ofHost = this.#runningByHost.get(host) ?? 0;
    return this.#running < this.#limits.maxConcurrent && ofHost < this.#limits.maxConcurrentPerHost;
  }

  hasQueueRoom(host: string): boolean {
    if (this.#queue.length >= this.#limits.maxQueued) return false;
    return this.#queue.filter((waiter) => waiter.host === host).length < this.#limits.maxQueuedPerHost;
  }

  take(host: string): () => void {
    this.#running += 1;
    this.#runningByHost.set(host, (this.#runningByHost.get(host) ?? 0) + 1);
    return () => this.#giveBack(host);
  }

  join(waiter: Waiter): void {
    this.#queue.push(waiter);
  }

  leave(waiter: Waiter): void {
    const index = this.#queue.indexOf(waiter);
    if (index !== -1) this.#queue.splice(index, 1);
  }

  #giveBack(host: string): void {
    this.#running -= 1;
    const ofHost = (this.#runningByHost.get(host) ?? 0) - 1;
    if (ofHost > 0) this.#runningByHost.set(host, ofHost);
    else this.#runningByHost.delete(host);
    const next = this.#queue.find((waiter) => this.hasRoom(waiter.host));
    if (next === undefined) return;
    this.leave(next);
    next.admit();
  }
}

function abortFault(signal: AbortSignal): EgressFault {
  const { reason } = signal;
  return reason instanceof EgressFault && reason.reason === 'aborted'
    ? reason
    : new EgressFault('overloaded');
}

function waitForRoom(lane: Lane, host: string, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      host,
      admit: () => {
        signal.removeEventListener('abort', giveUp);
        resolve(lane.take(host));
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
    enter: async (host, signal) => {
      if (signal.aborted) throw abortFault(signal);
      if (lane.hasRoom(host)) return lane.take(host);
      if (!lane.hasQueueRoom(host)) throw new EgressFault('overloaded');
      return waitForRoom(lane, host, signal);
    },
  };
}
