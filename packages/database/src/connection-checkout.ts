import { afterPendingInput } from '@vestibule/protocol/runtime';
import type pg from 'pg';
import { type DatabaseCounters, databaseCounters } from './database-counters.js';

/** Checks out the connections of a pool, first come, first served. */
export interface ConnectionCheckout {
  /** Rejects when no connection is free within `waitMs`, or when it cannot connect. Every one must be released. */
  acquire(waitMs: number): Promise<pg.PoolClient>;
  /** Closes the connection if it is broken. */
  release(client: pg.PoolClient, broken: boolean): void;
  readonly counters: DatabaseCounters;
}

/** Limits of checking out connections. */
export interface CheckoutBounds {
  /** Number of connections. */
  readonly poolSize: number;
  /** The semaphore of the connections. Default: a new one. */
  readonly semaphore?: ConnectionSemaphore;
  /** The counters. Default: not counted. */
  readonly counters?: DatabaseCounters;
}

/** Creates the checkout of the connections of a pool. */
export function connectionCheckout(pool: pg.Pool, bounds: CheckoutBounds): ConnectionCheckout {
  const { poolSize, semaphore = connectionSemaphore(poolSize), counters = databaseCounters() } = bounds;
  const connect = async (waitMs: number) => {
    const turn = semaphore.acquire(waitMs);
    if (turn !== undefined) await counted(turn, counters);
    return new Promise<pg.PoolClient>((resolve, reject) => {
      pool.connect((error, client) => {
        if (client !== undefined) return resolve(client);
        semaphore.release();
        reject(error);
      });
    });
  };
  return {
    acquire: (waitMs) =>
      connect(waitMs).catch((error: unknown) => {
        counters.failures.no_connection += 1;
        throw error;
      }),
    release: (client, broken) => {
      client.release(broken);
      semaphore.release();
    },
    counters,
  };
}

/** Waits for a connection, and counts the wait. */
async function counted(turn: Promise<void>, counters: DatabaseCounters): Promise<void> {
  const sinceMs = performance.now();
  counters.waits += 1;
  try {
    await turn;
  } catch (error) {
    counters.refusals += 1;
    throw error;
  } finally {
    counters.waitedMs += performance.now() - sinceMs;
  }
}

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
