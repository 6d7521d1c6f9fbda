import { afterPendingInput } from '@vestibule/protocol/runtime';

/** Limits the use of connections, first come, first served. */
export interface ConnectionSemaphore {
  /**
   * Acquires a slot, at once or (with a promise) when one is free. Every acquired slot must be released.
   * @throws ConnectionWaitError when no slot is free within `waitMs`
   */
  acquire(waitMs: number): Promise<void> | undefined;
  /** Releases a slot to the waiter that has waited longest. */
  release(): void;
  /** Number of waiters. */
  readonly waiting: number;
}

/** Thrown when all connections were busy for the permitted wait. */
export class ConnectionWaitError extends Error {
  override readonly name = 'ConnectionWaitError';
}

interface Waiter {
  readonly admit: () => void;
}

/**
 * Creates a semaphore with one slot per connection. A pool has one timeout for waiting for a busy connection and for
 * making a new one: too short for a burst that would soon be served, or too long for a server that is gone.
 */
export function connectionSemaphore(slots: number): ConnectionSemaphore {
  // Not a `Set`, because entries of a long-lived `Set` are collected late.
  const waiting: Waiter[] = [];
  let free = slots;
  const wait = (waitMs: number) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(new ConnectionWaitError('all connections to the database were busy'));
      };
      const cancel = afterPendingInput(waitMs, giveUp);
      const waiter: Waiter = {
        admit: () => {
          cancel();
          resolve();
        },
      };
      waiting.push(waiter);
    });
  return {
    get waiting() {
      return waiting.length;
    },
    acquire: (waitMs) => {
      if (free === 0) return wait(waitMs);
      free -= 1;
      return undefined;
    },
    release: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next.admit();
    },
  };
}
