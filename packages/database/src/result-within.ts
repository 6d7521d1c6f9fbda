import { afterPendingInput } from '@vestibule/protocol/runtime';
import type pg from 'pg';
import { StatementTimeoutError } from './database-errors.js';

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
