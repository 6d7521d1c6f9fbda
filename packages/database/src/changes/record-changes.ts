import type { RunStatement, Statement } from '../statement.js';

/** What is left of this much recording may end before a statement that prolongs it takes effect, in seconds. */
const TOO_SHORT_SECONDS = 60;
/** Largest number of rows that one statement deletes. */
const BATCH = 1_000;

/**
 * The statements that begin the log and keep changes recorded. By hand, because each compares with what other processes
 * do in one atomic step, and because of the order that the migration `change_use` explains.
 */
export const RECORD_STATEMENTS = {
  // Deletes what is left of a log that has ended, or comes from another server, and says how much it found. All of it comes
  // before the `reset` of a log that begins at the same time, because that is written after the time was stored.
  forget: {
    name: 'change-forget',
    text: `WITH running AS MATERIALIZED (
        SELECT pg_snapshot_xmin(snapshot)::text::bigint AS horizon, pg_snapshot_xmax(snapshot)::text::bigint AS next
        FROM pg_current_snapshot() AS snapshot WHERE vestibule_recorded_seconds(false) = 0
      ), chosen AS MATERIALIZED (
        SELECT change.ctid AS place FROM running, change
        WHERE transaction < running.horizon OR transaction >= running.next LIMIT $1
      ), gone AS (DELETE FROM change WHERE ctid = ANY(ARRAY(SELECT place FROM chosen)) RETURNING id)
      SELECT (SELECT count(*)::int FROM chosen) AS found, (SELECT count(*)::int FROM gone) AS deleted`,
    repeatable: true,
  },
  prolong: {
    name: 'change-prolong',
    text: `INSERT INTO change_use AS present (until, origin, is_announced)
      VALUES (clock_timestamp() + make_interval(secs => $1), vestibule_change_origin(), false)
      ON CONFLICT (id) DO UPDATE SET
        until = CASE WHEN present.origin = EXCLUDED.origin THEN GREATEST(present.until, EXCLUDED.until) ELSE EXCLUDED.until END,
        is_announced = present.is_announced AND vestibule_recorded_seconds(true) > ${TOO_SHORT_SECONDS},
        origin = EXCLUDED.origin`,
    repeatable: true,
  },
  announce: {
    name: 'change-announce',
    text: `WITH announced AS (
        UPDATE change_use SET is_announced = true
        WHERE NOT is_announced OR NOT EXISTS (SELECT FROM change) RETURNING id
      )
      INSERT INTO change ("type", reason, members) SELECT 'reset', 'no_position', '{}' FROM announced`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Has changes recorded for a time from now on. The log begins anew if they were not. */
export async function recordChanges(run: RunStatement, forSeconds: number): Promise<void> {
  await forgetChanges(run);
  await run(RECORD_STATEMENTS.prolong, [forSeconds]);
  await run(RECORD_STATEMENTS.announce, []);
}

/** Deletes the changes of a log that has ended. Returns their number. */
export async function forgetChanges(run: RunStatement, batchSize = BATCH): Promise<number> {
  let total = 0;
  for (;;) {
    const { rows } = await run<{ found: number; deleted: number }>(RECORD_STATEMENTS.forget, [batchSize]);
    const { found = 0, deleted = 0 } = rows[0] ?? {};
    total += deleted;
    // Another process may be deleting what this one found.
    if (found === 0) return total;
  }
}
