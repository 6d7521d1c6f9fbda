import { epochSeconds } from '@vestibule/protocol';
import type { Change, ChangeLog, ChangePage } from '@vestibule/tokens/changes';
import { type ColumnsOf, type RowOf, selectList } from '../columns.js';
import type { Change as ChangeModel } from '../generated/client.js';
import type { RunStatement, Statement } from '../statement.js';
import { recordChanges } from './record-changes.js';

const COLUMNS = {
  transaction: 'bigint',
  id: 'bigint',
  eventId: 'uuid',
  occurredAt: 'time',
  type: 'text',
  reason: 'text',
  members: 'jsonb',
} as const satisfies ColumnsOf<ChangeModel>;

/**
 * The end of the log. Every transaction before the horizon has ended, so that no row of it can appear any more. A log in
 * use has a row at least.
 */
const MARK = `SELECT horizon, (
      SELECT extract(epoch FROM occurred_at)::float8 FROM change
      WHERE transaction >= horizon ORDER BY transaction, id LIMIT 1
    ) AS "pendingSince",
    CASE WHEN newest IS NULL THEN 0 ELSE vestibule_recorded_seconds(true) END AS "recordedForSeconds"
  FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon,
    (SELECT transaction FROM change ORDER BY transaction DESC, id DESC LIMIT 1) AS newest) AS log_end`;

/**
 * The statements of the log. By hand, because they compare rows with the running transactions, which must be those of
 * the same snapshot.
 */
export const CHANGE_STATEMENTS = {
  page: {
    name: 'change-page',
    text: `WITH mark AS MATERIALIZED (${MARK}), known AS MATERIALIZED (
        SELECT $3::uuid IS NULL OR EXISTS (
          SELECT FROM change, mark
          WHERE transaction = $1::bigint AND id = $2::bigint AND event_id = $3 AND transaction < mark.horizon
        ) AS "isKnown"
      )
      SELECT mark."pendingSince", mark."recordedForSeconds", known."isKnown", page.*
      FROM mark CROSS JOIN known LEFT JOIN LATERAL (
        SELECT ${selectList(COLUMNS)} FROM change
        WHERE known."isKnown" AND (transaction, id) > ($1::bigint, $2::bigint) AND transaction < mark.horizon
        ORDER BY transaction, id LIMIT $4
      ) AS page ON true
      ORDER BY page.transaction, page.id`,
    repeatable: true,
  },
  latest: {
    name: 'change-latest',
    text: `WITH mark AS MATERIALIZED (${MARK})
      SELECT mark."pendingSince", mark."recordedForSeconds", true AS "isKnown", page.*
      FROM mark LEFT JOIN LATERAL (
        SELECT ${selectList(COLUMNS)} FROM change
        WHERE transaction < mark.horizon ORDER BY transaction DESC, id DESC LIMIT 1
      ) AS page ON true`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

type ChangeRow = RowOf<ChangeModel, typeof COLUMNS, Change>;

/** The driver returns the numbers of the key as texts. */
type Stored = Omit<ChangeRow, 'transaction' | 'id'> & { readonly transaction: string; readonly id: string };

type PageRow = Omit<ChangePage, 'changes' | 'pendingSince'> & { readonly pendingSince: number | null } & (
    | Stored
    | { readonly eventId: null }
  );

const START = ['0', '0', null] as const;
/** A position that no row has. */
const NOWHERE = ['0', '0', '00000000-0000-0000-0000-000000000000'] as const;

const POSITION = /^(\d{1,18})-(\d{1,18})-([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** Creates the log of what ended, in Postgres. */
export function changeLog(run: RunStatement): ChangeLog {
  return {
    latest: async () => {
      const { rows } = await run<PageRow>(CHANGE_STATEMENTS.latest, []);
      const { changes, recordedForSeconds, pendingSince } = pageOf(rows);
      const [change] = changes;
      return {
        recordedForSeconds,
        ...(pendingSince !== undefined && { pendingSince }),
        ...(change && { change }),
      };
    },
    page: async (after, limit) => {
      const values = after === undefined ? START : (POSITION.exec(after)?.slice(1) ?? NOWHERE);
      return pageOf((await run<PageRow>(CHANGE_STATEMENTS.page, [...values, limit])).rows);
    },
    record: (forSeconds) => recordChanges(run, forSeconds),
  };
}

function pageOf(rows: readonly PageRow[]): ChangePage {
  const [first] = rows;
  if (first === undefined) throw new TypeError('the database returned no state of the log');
  const { isKnown, pendingSince, recordedForSeconds } = first;
  return {
    isKnown,
    changes: rows.flatMap((row) => (row.eventId === null ? [] : [changeOf(row)])),
    ...(pendingSince !== null && { pendingSince: epochSeconds(Math.floor(pendingSince)) }),
    recordedForSeconds,
  };
}

function changeOf({ transaction, id, eventId, occurredAt, type, reason, members }: Stored): Change {
  return {
    id: `${transaction}-${id}-${eventId}`,
    type,
    occurredAt: epochSeconds(Math.floor(occurredAt)),
    reason,
    members,
  };
}
