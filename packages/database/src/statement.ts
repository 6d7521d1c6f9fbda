import { setTimeout as pause } from 'node:timers/promises';
import { afterPendingInput } from '@vestibule/protocol/runtime';
import pg from 'pg';
import type { ConnectionCheckout } from './connection-checkout.js';
import { RESPONSE_ALLOWANCE_MS } from './connection-pool.js';
import {
  isConnectionLost,
  isDatabaseResponse,
  isUndone,
  isUnprepared,
  StatementTimeoutError,
  statementFailure,
} from './database-errors.js';
import { systemTime } from './system-time.js';

/** An SQL statement, which each connection prepares once. */
export interface Statement {
  /** Unique in the package; PostgreSQL keeps the first 63 characters. */
  readonly name: string;
  readonly text: string;
  /** Whether the statement is idempotent, so that it is retried when its connection breaks. */
  readonly repeatable: boolean;
  /** Whether it is planned for its values each time instead of prepared. Default false. */
  readonly isUnprepared?: boolean;
  /** Form of the rows in the result of the driver. Default: objects. */
  readonly rowForm?: Pick<pg.QueryArrayConfig, 'rowMode' | 'types'>;
}

/** Result of a statement. */
export interface StatementResult<Row> {
  readonly rows: readonly Row[];
  /** Number of rows that were read or changed. */
  readonly rowCount: number;
}

/** Runs a statement on a connection of the pool. Rejects with the error of the database or the driver. */
export type RunStatement = <Row>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<StatementResult<Row>>;

/** Runs a statement like {@link RunStatement}, and returns the result of the driver. */
export type RunQuery = (statement: Statement, values: readonly unknown[]) => Promise<pg.QueryResult>;

const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 20;

/**
 * Creates the runner of statements over the connections of a pool. A statement waits for a connection no longer than
 * the timeout, and ends at most half a second later. The following are retried, at most three times after short random
 * pauses:
 * - a statement that the database rolled back in favour of another one (deadlock, serialization failure);
 * - a repeatable statement whose connection broke;
 * - a repeatable SELECT during which the machine was paused: its result may be outdated. The result of a change stands;
 *   a second run would report that there is nothing left to change;
 * - a statement whose prepared form is stale, without preparing it.
 */
export function queryRunner(checkout: ConnectionCheckout, statementTimeoutMs: number): RunQuery {
  const { counters } = checkout;
  return async (statement, values) => {
    const lastStartMs = performance.now() + statementTimeoutMs;
    let { isUnprepared: unprepared = false } = statement;
    for (let retries = 0; ; retries += 1) {
      // A statement that cannot connect is not retried.
      const client = await checkout.acquire(lastStartMs - performance.now());
      let broken = true;
      try {
        const remainingMs = Math.max(0, lastStartMs - performance.now()) + RESPONSE_ALLOWANCE_MS;
        const result = await runOn(client, statement, { values, remainingMs, unprepared });
        broken = false;
        return result;
      } catch (error) {
        broken = !keepsConnection(error);
        if (retries === MAX_RETRIES || !mayRetry(statement, error)) {
          counters.failures[statementFailure(error)] += 1;
          throw error;
        }
        counters.retries += 1;
        // The prepared form of the next connection may be stale too.
        if (isUnprepared(error)) unprepared = true;
      } finally {
        // `pool.query` discards the connection after every error; here one that responded is kept, with its prepared
        // statements.
        checkout.release(client, broken);
      }
      await pause(Math.random() * RETRY_DELAY_MS * 2 ** retries);
    }
  };
}

/** Runs statements for their rows. */
export function statementRunner(query: RunQuery): RunStatement {
  return async (statement, values) => {
    const { rows, rowCount } = await query(statement, values);
    return { rows, rowCount: rowCount ?? 0 };
  };
}

/** A connection for a transaction. */
export interface BorrowedConnection {
  /** Runs a statement without retries. */
  readonly query: RunQuery;
  /** Returns the connection to the pool, which closes it after an error or a statement without a response. */
  release(error?: unknown): void;
}

/** Borrows a connection for a transaction, within the statement timeout. */
export async function checkedOutConnection(
  checkout: ConnectionCheckout,
  statementTimeoutMs: number,
): Promise<BorrowedConnection> {
  const client = await checkout.acquire(statementTimeoutMs);
  const remainingMs = statementTimeoutMs + RESPONSE_ALLOWANCE_MS;
  let broken = false;
  return {
    query: async (statement, values) => {
      try {
        const once = { ...statement, repeatable: false };
        return await runOn(client, once, { values, remainingMs, unprepared: true });
      } catch (error) {
        broken ||= !keepsConnection(error);
        checkout.counters.failures[statementFailure(error)] += 1;
        throw error;
      }
    },
    release: (error) => checkout.release(client, broken || error !== undefined),
  };
}

function mayRetry(statement: Statement, error: unknown): boolean {
  if (error instanceof MachinePausedError) return true;
  return isUndone(error) || isUnprepared(error) || (statement.repeatable && isConnectionLost(error));
}

function isRead(text: string): boolean {
  return /^\s*SELECT\b/.test(text);
}

/** Thrown when the machine was paused during a read, whose result may be outdated. */
class MachinePausedError extends Error {
  override readonly name = 'MachinePausedError';
}

/** Whether the connection can still be used after an error. */
function keepsConnection(error: unknown): boolean {
  return isDatabaseResponse(error) || error instanceof MachinePausedError;
}

interface Execution {
  readonly values: readonly unknown[];
  /** Longer than the timeout of the server, unless the statement had to wait. */
  readonly remainingMs: number;
  readonly unprepared: boolean;
}

async function runOn(
  client: pg.PoolClient,
  { name, text, repeatable, rowForm }: Statement,
  { values, remainingMs, unprepared }: Execution,
): Promise<pg.QueryResult> {
  const jumps = systemTime.jumps();
  const query = new pg.Query(rowForm === undefined ? text : { ...rowForm, text }, [...values]);
  if (!unprepared) Object.assign(query, { name });
  const result = await resultWithin(client, query, remainingMs);
  if (repeatable && systemTime.jumps() !== jumps && isRead(text)) throw new MachinePausedError();
  return result;
}

/** Timeouts are rounded up to this step, because timers of equal duration share a list in Node.js. */
const TIMER_STEP_MS = 100;

/**
 * Sends a query with a timeout. The timeout of the driver (`query_timeout`) is not used: it assigns a function to each
 * query, which V8 allocates in the old generation, so that every row stays in memory until a major collection.
 *
 * Rejects with the error of the database or the driver, or with `StatementTimeoutError` when there is no response
 * within the given milliseconds, or up to a tenth of a second later. The connection cannot be used any more then. A
 * response that arrived while this process was busy is in time.
 */
export function resultWithin(
  client: pg.ClientBase,
  query: pg.Query,
  withinMs: number,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new StatementTimeoutError());
    const cancel = afterPendingInput(Math.ceil(withinMs / TIMER_STEP_MS) * TIMER_STEP_MS, giveUp);
    const callback = (error: unknown, result: pg.QueryResult) => {
      cancel();
      if (error) reject(error);
      else resolve(result);
    };
    client.query(Object.assign(query, { callback }));
  });
}
