import type { Invalidation, StreamPosition } from '@vestibule/tokens/cache';
import type { RunStatement, Statement } from '../statement.js';

/** The events between two polls of the log. */
export interface PolledEvents {
  /** The position after these events. */
  readonly position: StreamPosition;
  /** What this poll saw, for the next one. */
  readonly snapshot: string;
  /** Whether events after the earlier snapshot may have been deleted. */
  readonly hasGap: boolean;
  readonly events: readonly Invalidation[];
}

/** By hand, because they compare transactions with snapshots, which must be those of the same statement. */
export const INVALIDATION_STATEMENTS = {
  // Begins the log, unless it is in use. A log that was restored from a dump has transactions that were counted differently.
  begin: {
    name: 'invalidation-begin',
    text: `WITH running AS MATERIALIZED (
        SELECT pg_snapshot_xmin(snapshot) AS oldest, pg_snapshot_xmax(snapshot) AS next
        FROM pg_current_snapshot() AS snapshot
      ), restored AS (
        DELETE FROM invalidation_event USING running WHERE transaction_id >= running.next
      )
      INSERT INTO invalidation_epoch AS present (origin, kept_from, next_kept_from)
      SELECT vestibule_change_origin(), running.oldest, running.oldest FROM running
      ON CONFLICT (id) DO UPDATE SET epoch = gen_random_uuid(), origin = EXCLUDED.origin, kept_from = EXCLUDED.kept_from,
        next_kept_from = EXCLUDED.next_kept_from, moved_at = EXCLUDED.moved_at
      WHERE present.origin <> EXCLUDED.origin`,
    repeatable: true,
  },
  poll: {
    name: 'invalidation-poll',
    text: `SELECT epoch::text, pg_current_snapshot()::text AS snapshot,
        coalesce(kept_from > pg_snapshot_xmin($1::pg_snapshot), false) AS "hasGap",
        event.transaction_id::text AS "transactionId", event.kind, event.tags
      FROM invalidation_epoch LEFT JOIN vestibule_invalidations_since($1::pg_snapshot) AS event ON true`,
    repeatable: true,
  },
  epoch: {
    name: 'invalidation-epoch',
    text: 'SELECT epoch::text FROM invalidation_epoch',
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** SHA-256 in base64. */
const TAG = /^[A-Za-z0-9+/]{43}=$/;

interface PolledRow extends Pick<PolledEvents, 'snapshot' | 'hasGap'> {
  readonly epoch: string;
  /** Null in the only row of a poll without events, like the other members of the event. */
  readonly transactionId: string | null;
  readonly kind: string;
  readonly tags: readonly string[];
}

/** Begins the log if it is not in use. */
export async function beginLog(run: RunStatement): Promise<void> {
  await run(INVALIDATION_STATEMENTS.begin, []);
}

/**
 * Reads the events that were committed since an earlier snapshot; none without one. Begins a log that the database has
 * lost.
 */
export async function pollEvents(run: RunStatement, earlier: string | null): Promise<PolledEvents> {
  for (;;) {
    const { rows } = await run<PolledRow>(INVALIDATION_STATEMENTS.poll, [earlier]);
    const [first] = rows;
    if (first !== undefined) return polledEvents(first, rows);
    await beginLog(run);
  }
}

/** Reads the epoch of the log; absent without a log. */
export async function readEpoch(run: RunStatement): Promise<string | undefined> {
  const { rows } = await run<{ epoch: string }>(INVALIDATION_STATEMENTS.epoch, []);
  return rows[0]?.epoch;
}

function polledEvents({ epoch, snapshot, hasGap }: PolledRow, rows: readonly PolledRow[]): PolledEvents {
  // `xmin:xmax:xip_list`
  const [oldest = '', next = ''] = snapshot.split(':', 2);
  return {
    position: { epoch, transactionId: BigInt(oldest), nextTransactionId: BigInt(next) },
    snapshot,
    hasGap,
    events: rows.flatMap((row) =>
      row.transactionId === null ? [] : [invalidationOf(BigInt(row.transactionId), row)],
    ),
  };
}

/** An unknown event, such as one of a later version, invalidates everything. */
function invalidationOf(transactionId: bigint, { kind, tags }: PolledRow): Invalidation {
  const isKnown = tags.every((tag) => TAG.test(tag));
  if (isKnown && kind === 'tokens') return { kind, transactionId, digests: tags };
  if (isKnown && kind === 'entities') return { kind, transactionId, tags };
  return { kind: 'everything', transactionId };
}
