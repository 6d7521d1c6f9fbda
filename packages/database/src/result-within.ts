import type pg from 'pg';
import { StatementTimeoutError } from './database-errors.js';

/** Timers of one duration share a list, which is cheaper than one for every millisecond that a statement waited. */
const TIMER_STEP_MS = 100;

/**
 * Sends a query, and gives its response. The limit that the driver has for that (`query_timeout`) is not used: it
 * assigns each query a function right where that is written, which V8 takes for one that lives long and puts into the
 * old part of the heap. Every row that was ever read is then kept until that part is collected.
 *
 * Rejects with what the database or the driver says, and with `StatementTimeoutError` when there is no response within
 * that many milliseconds, a tenth of a second more at most: the connection is then of no use any more.
 */
export function resultWithin(
  client: pg.ClientBase,
  query: pg.Query,
  withinMs: number,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new StatementTimeoutError());
    const timer = setTimeout(giveUp, Math.ceil(withinMs / TIMER_STEP_MS) * TIMER_STEP_MS);
    const callback = (error: unknown, result: pg.QueryResult) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    };
    client.query(Object.assign(query, { callback }));
  });
}
