import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { RunStatement } from '../statement.js';
import { query } from './test-database.js';

/** A transaction on a connection of its own, whose end the test decides. */
export interface HeldTransaction {
  /** Runs a statement in the transaction. */
  readonly run: RunStatement;
  commit(): Promise<void>;
  /** Closes the connection, like a process that was killed. */
  breakOff(): Promise<void>;
}

/** Begins a transaction. It is rolled back after the test unless it was committed. */
export async function heldTransaction(url: string): Promise<HeldTransaction> {
  const { client, close } = await connected(url);
  await client.query('BEGIN');
  return {
    run: statementsOn(client),
    commit: async () => {
      await client.query('COMMIT');
    },
    breakOff: close,
  };
}

/** Returns a runner of statements on a connection of their own, each of which is a transaction. */
export async function statementsOf(url: string): Promise<RunStatement> {
  return statementsOn((await connected(url)).client);
}

async function connected(url: string) {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= client.end();
    return closed;
  };
  onTestFinished(close);
  return { client, close };
}

function statementsOn(client: pg.Client): RunStatement {
  return async ({ text }, values) => {
    const { rows, rowCount } = await client.query(text, [...values]);
    return { rows, rowCount: rowCount ?? 0 };
  };
}

/**
 * Starts an operation and resolves when it waits for a lock, or is over. Returns whether it waits, and its promise.
 * @param others number of statements that wait already
 */
export async function untilWaitingOrDone<Result>(
  url: string,
  operate: () => Promise<Result>,
  others = 0,
): Promise<{ readonly isWaiting: boolean; readonly result: Promise<Result> }> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  const result = operate();
  result.then(done, done);
  for (;;) {
    const waiting = await query(
      url,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting.length > others) return { isWaiting: true, result };
    if (isDone) return { isWaiting: false, result };
  }
}
