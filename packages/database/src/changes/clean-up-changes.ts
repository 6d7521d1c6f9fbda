import { inBatches } from '../in-batches.js';
import type { RunStatement, Statement } from '../statement.js';
import { forgetChanges } from './record-changes.js';

/** Key of the advisory lock under which old changes are deleted. */
const CLEAN_UP_LOCK = '5566137290144819374';

/**
 * Deletes the oldest changes, if all of them occurred before `$1`. By hand, because it must leave no gap: a reader whose
 * last change is kept has missed none. So it deletes from the start of the log on, one process at a time, and nothing that
 * cannot be read yet. The last change that is over stays, because readers that were up to date continue after it.
 */
export const CLEAN_UP_CHANGES: Statement = {
  name: 'clean-up-change',
  text: `WITH running AS MATERIALIZED (
      SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon
      WHERE pg_try_advisory_xact_lock(${CLEAN_UP_LOCK})
    ), oldest AS MATERIALIZED (
      SELECT change.ctid AS place, change.transaction, change.id, occurred_at <= to_timestamp($1) AS is_over
      FROM running, change WHERE change.transaction < running.horizon
      ORDER BY change.transaction, change.id LIMIT $2 + 1
    ), checked AS (
      SELECT place, lead(is_over) OVER log_order AND bool_and(is_over) OVER log_order AS is_deleted
      FROM oldest WINDOW log_order AS (ORDER BY transaction, id)
    )
    DELETE FROM change WHERE ctid = ANY(ARRAY(SELECT place FROM checked WHERE is_deleted))`,
  repeatable: true,
};

/** Deletes the changes that occurred before a time, in seconds, and those of a log that has ended. Returns their number. */
export async function cleanUpChanges(
  run: RunStatement,
  limits: { readonly before: number; readonly batchSize: number },
): Promise<number> {
  const forgotten = await forgetChanges(run, limits.batchSize);
  return forgotten + (await inBatches(run, CLEAN_UP_CHANGES, limits));
}
