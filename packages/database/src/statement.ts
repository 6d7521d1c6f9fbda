import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { RESPONSE_ALLOWANCE_MS } from './connection-pool.js';
import { type ConnectionSemaphore, connectionSemaphore } from './connection-semaphore.js';
import { type DatabaseCounters, databaseCounters } from './database-counters.js';
import {
  isConnectionLost,
  isDatabaseResponse,
  isUndone,
  isUnprepared,
  statementFailure,
} from './database-errors.js';
import { resultWithin } from './result-within.js';
import { systemTime } from './system-time.js';

/** An SQL statement, which each connection prepares once. */
export interface Statement {
  /** Unique in the package; PostgreSQL keeps the first 63 characters. */
  readonly name: string;
  readonly text: string;
  /** Whether the statement is idempotent, so that it is retried when its connection breaks. */
  readonly repeatable: boolean;
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

const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 20;

/** Limits of running statements. */
export interface RunnerBounds {
  /** Largest number of parallel statements. */
  readonly poolSize: number;
  /** How long a statement may wait for a connection, in milliseconds; it ends at most half a second later. */
  readonly statementTimeoutMs: number;
  /** The semaphore of the connections. Default: a new one. */
  readonly semaphore?: ConnectionSemaphore;
  /** The counters. Default: not counted. */
  readonly counters?: DatabaseCounters;
}

/**
 * Creates the runner of statements over a pool. Statements beyond the number of connections wait. The following are
 * retried, at most three times after short random pauses:
 * - a statement that the database rolled back in favour of another one (deadlock, serialization failure);
 * - a repeatable statement whose connection broke;
 * - a repeatable SELECT during which the machine was paused: its result may be outdated. The result of a change stands;
 *   a second run would report that there is nothing left to change;
 * - a statement whose prepared form is stale, without preparing it.
 */
export function statementRunner(pool: pg.Pool, bounds: RunnerBounds): RunStatement {
  const { poolSize, statementTimeoutMs, semaphore = connectionSemaphore(poolSize) } = bounds;
  const { counters = databaseCounters() } = bounds;
  const connection = async (waitMs: number) => {
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
  return async <Row>(statement: Statement, values: readonly unknown[]) => {
    const lastStartMs = performance.now() + statementTimeoutMs;
    let { name }: { name?: string } = statement;
    for (let retries = 0; ; retries += 1) {
      // A statement that cannot connect is not retried.
      const client = await connection(lastStartMs - performance.now()).catch((error: unknown) => {
        counters.failures.no_connection += 1;
        throw error;
      });
      try {
        const remainingMs = Math.max(0, lastStartMs - performance.now()) + RESPONSE_ALLOWANCE_MS;
        return await runOn<Row>(client, { ...statement, name }, { values, remainingMs });
      } catch (error) {
        if (retries === MAX_RETRIES || !mayRetry(statement, error)) {
          counters.failures[statementFailure(error)] += 1;
          throw error;
        }
        counters.retries += 1;
        // The prepared form of the next connection may be stale too.
        if (isUnprepared(error)) name = undefined;
      } finally {
        semaphore.release();
      }
      await pause(Math.random() * RETRY_DELAY_MS * 2 ** retries);
    }
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

interface Execution {
  readonly values: readonly unknown[];
  /** Longer than the timeout of the server, unless the statement had to wait. */
  readonly remainingMs: number;
}

async function runOn<Row>(
  client: pg.PoolClient,
  { name, text, repeatable }: Omit<Statement, 'name'> & { readonly name: string | undefined },
  { values, remainingMs }: Execution,
): Promise<StatementResult<Row>> {
  // `pool.query` discards the connection after every error; here one that responded is kept, with its prepared
  // statements.
  let broken = true;
  try {
    const jumps = systemTime.jumps();
    const query = Object.assign(new pg.Query(text, [...values]), { name });
    const { rows, rowCount } = await resultWithin(client, query, remainingMs);
    broken = false;
    if (repeatable && systemTime.jumps() !== jumps && isRead(text)) throw new MachinePausedError();
    return { rows, rowCount: rowCount ?? 0 };
  } catch (error) {
    broken = !(isDatabaseResponse(error) || error instanceof MachinePausedError);
    throw error;
  } finally {
    client.release(broken);
  }
}
