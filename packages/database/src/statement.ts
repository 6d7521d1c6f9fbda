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

/** One SQL statement; each connection prepares it once. */
export interface Statement {
  /** Unique in the package; PostgreSQL keeps the first 63 characters. */
  readonly name: string;
  readonly text: string;
  /** Whether doing it twice is the same as doing it once: then it is tried again when its connection breaks. */
  readonly repeatable: boolean;
}

/** What a statement gave. */
export interface StatementResult<Row> {
  readonly rows: readonly Row[];
  /** How many rows it read or changed. */
  readonly rowCount: number;
}

/** Runs a statement on a connection of the pool. Rejects with the error of the database or the driver. */
export type RunStatement = <Row>(
  statement: Statement,
  values: readonly unknown[],
) => Promise<StatementResult<Row>>;

const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 20;

/** The bounds of the pool that statements run on. */
export interface RunnerBounds {
  /** As many statements at a time. */
  readonly poolSize: number;
  /** How long a statement may wait for its turn, in milliseconds; half a second later it has ended. */
  readonly statementTimeoutMs: number;
  /** Where its turns are taken; a line of its own unless given. */
  readonly line?: ConnectionSemaphore;
  /** Where it counts; nobody sees it unless given. */
  readonly counters?: DatabaseCounters;
}

/**
 * Runs statements over a pool, as many at a time as it has connections; the others wait for their turn. What the
 * database undid in favour of another statement is tried again, at most three times after short random pauses; so is a
 * repeatable statement whose connection broke, and, unprepared, one for which what its connection had prepared is of no
 * use any more, and a repeatable one during which the machine was paused.
 */
export function statementRunner(pool: pg.Pool, bounds: RunnerBounds): RunStatement {
  const { poolSize, statementTimeoutMs, line = connectionSemaphore(poolSize) } = bounds;
  const { counters = databaseCounters() } = bounds;
  const connection = async (waitMs: number) => {
    const turn = line.enter(waitMs);
    if (turn !== undefined) await counted(turn, counters);
    return new Promise<pg.PoolClient>((resolve, reject) => {
      pool.connect((error, client) => {
        if (client !== undefined) return resolve(client);
        line.leave();
        reject(error);
      });
    });
  };
  return async <Row>(statement: Statement, values: readonly unknown[]) => {
    const lastStartMs = performance.now() + statementTimeoutMs;
    let { name }: { name?: string } = statement;
    for (let retries = 0; ; retries += 1) {
      // Whoever cannot connect has waited long enough.
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
        // The next connection may be no better.
        if (isUnprepared(error)) name = undefined;
      } finally {
        line.leave();
      }
      await pause(Math.random() * RETRY_DELAY_MS * 2 ** retries);
    }
  };
}

/** Waits for a turn, and counts that it did. */
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

/** The machine was paused while a statement was under way: what was read may be wrong by now. */
class MachinePausedError extends Error {
  override readonly name = 'MachinePausedError';
}

interface Execution {
  readonly values: readonly unknown[];
  /** The server's own limit comes first unless the statement had to wait. */
  readonly remainingMs: number;
}

async function runOn<Row>(
  client: pg.PoolClient,
  { name, text, repeatable }: Omit<Statement, 'name'> & { readonly name: string | undefined },
  { values, remainingMs }: Execution,
): Promise<StatementResult<Row>> {
  // `pool.query` throws a connection away after every error; one that answered is kept, with its prepared statements.
  let broken = true;
  try {
    const jumps = systemTime.jumps();
    const query = Object.assign(new pg.Query(text, [...values]), { name });
    const { rows, rowCount } = await resultWithin(client, query, remainingMs);
    broken = false;
    if (repeatable && systemTime.jumps() !== jumps) throw new MachinePausedError();
    return { rows, rowCount: rowCount ?? 0 };
  } catch (error) {
    broken = !(isDatabaseResponse(error) || error instanceof MachinePausedError);
    throw error;
  } finally {
    client.release(broken);
  }
}
