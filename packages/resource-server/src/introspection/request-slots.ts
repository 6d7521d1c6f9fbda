import type { Scheduler } from '@vestibule/protocol/runtime';
import { IntrospectionFailure } from './introspection-failure.js';

/** Limits of concurrent requests. */
export interface RequestSlotLimits {
  /** Number of concurrent requests. */
  readonly maxConcurrent: number;
  /** Number of requests that wait for a slot. */
  readonly maxWaiting: number;
  /** How long a request waits for a slot, in milliseconds. */
  readonly maxWaitMs: number;
}

/** Concurrency limit of requests, first come, first served. */
export interface RequestSlots {
  /**
   * Runs a request in a slot, at once or when one is free. The slot is free again when the request has settled.
   * @throws IntrospectionFailure `overloaded` if too many requests wait, or if no slot is free in time
   */
  run<Result>(request: () => Promise<Result>): Promise<Result>;
}

interface Waiter {
  readonly admit: () => void;
}

/** Creates slots that are all free. */
export function requestSlots(
  { maxConcurrent, maxWaiting, maxWaitMs }: RequestSlotLimits,
  scheduler: Pick<Scheduler, 'after'>,
): RequestSlots {
  // Not a `Set`, because entries of a long-lived `Set` are collected late. All waiters wait equally long, so the one
  // that gives up is the first.
  const waiting: Waiter[] = [];
  let running = 0;
  const waitForSlot = () =>
    new Promise<void>((resolve, reject) => {
      const cancel = scheduler.after(maxWaitMs, () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(overloaded('no introspection request could be sent in time: all connections were busy'));
      });
      const waiter: Waiter = {
        admit: () => {
          cancel();
          resolve();
        },
      };
      waiting.push(waiter);
    });
  const acquire = async (): Promise<void> => {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxWaiting) throw overloaded('too many introspection requests wait to be sent');
      return waitForSlot();
    }
    running += 1;
  };
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next.admit();
  };
  return {
    run: async (request) => {
      await acquire();
      try {
        return await request();
      } finally {
        release();
      }
    },
  };
}

function overloaded(message: string): IntrospectionFailure {
  return new IntrospectionFailure('overloaded', message);
}
