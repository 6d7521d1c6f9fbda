import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isConnectionLost, isDatabaseAnswer, isUndone } from './database-errors.js';

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

/**
 * Runs statements over a pool. What the database undid in favour of another statement is tried again, at most three
 * times after short random pauses; so is a repeatable statement whose connection broke.
 */
export function statementRunner(pool: pg.Pool): RunStatement {
  return async <Row>(statement: Statement, values: readonly unknown[]) => {
    for (let retries = 0; ; retries += 1) {
      // Whoever cannot connect has waited long enough.
      const client = await pool.connect();
      try {
        return await runOn<Row>(client, statement, values);
      } catch (error) {
        if (retries === MAX_RETRIES || !mayRetry(statement, error)) throw error;
      }
      await pause(Math.random() * RETRY_DELAY_MS * 2 ** retries);
    }
  };
}

function mayRetry(statement: Statement, error: unknown): boolean {
  return isUndone(error) || (statement.repeatable && isConnectionLost(error));
}

async function runOn<Row>(
  client: pg.PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<StatementResult<Row>> {
  // `pool.query` throws a connection away after every error; one that answered is kept, with its prepared statements.
  let broken = true;
  try {
    const { rows, rowCount } = await client.query({ name, text, values: [...values] });
    broken = false;
    return { rows, rowCount: rowCount ?? 0 };
  } catch (error) {
    broken = !isDatabaseAnswer(error);
    throw error;
  } finally {
    client.release(broken);
  }
}
