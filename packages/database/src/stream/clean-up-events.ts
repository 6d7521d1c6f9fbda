import type { RunStatement, Statement } from '../statement.js';
import { beginLog } from './invalidation-events.js';

/** How long events are kept at least, in seconds. A reader that missed more of them treats everything as changed. */
const KEPT_SECONDS = 120;

/** By hand, because they compare transactions with the snapshot of the same statement, and skip locked rows. */
export const CLEAN_UP_EVENT_STATEMENTS = {
  // Moves the start of the log to where its end was at the previous move. Of several processes one moves it.
  move: {
    name: 'invalidation-move',
    text: `UPDATE invalidation_epoch SET kept_from = next_kept_from,
        next_kept_from = pg_snapshot_xmin(pg_current_snapshot()), moved_at = now()
      WHERE moved_at <= now() - make_interval(secs => ${KEPT_SECONDS})`,
    repeatable: true,
  },
  // Deletes a batch of the events before the start of the log.
  delete: {
    name: 'invalidation-delete',
    text: `DELETE FROM invalidation_event WHERE ctid = ANY(ARRAY(
        SELECT event.ctid FROM invalidation_event AS event
        WHERE event.transaction_id < (SELECT kept_from FROM invalidation_epoch)
        LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Deletes old invalidation events. Returns their number. */
export async function cleanUpEvents(run: RunStatement, batchSize: number): Promise<number> {
  await beginLog(run);
  await run(CLEAN_UP_EVENT_STATEMENTS.move, []);
  let total = 0;
  for (;;) {
    const { rowCount } = await run(CLEAN_UP_EVENT_STATEMENTS.delete, [batchSize]);
    total += rowCount;
    if (rowCount < batchSize) return total;
  }
}
