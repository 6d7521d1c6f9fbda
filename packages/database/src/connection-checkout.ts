import type pg from 'pg';
import { type ConnectionSemaphore, connectionSemaphore } from './connection-semaphore.js';
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
