import { epochSeconds } from '@vestibule/protocol';
import type { Change, ChangeLog, ChangePosition, PlacedChange } from '@vestibule/tokens/changes';
import { type ColumnsOf, type RowOf, selectList } from '../columns.js';
import type { Change as ChangeModel } from '../generated/client.js';
import type { RunStatement, Statement } from '../statement.js';

const COLUMNS = {
  transaction: 'bigint',
  id: 'bigint',
  eventId: 'uuid',
  occurredAt: 'time',
  type: 'text',
  reason: 'text',
  members: 'jsonb',
} as const satisfies ColumnsOf<ChangeModel>;

/** The oldest transaction that still runs; every older one has ended, so that no row of it can appear any more. */
const HORIZON = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** A row of a later transaction than any that has begun comes from a backup of another server. */
const NEXT = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

/**
 * The statements of the log. By hand, because they compare rows with the running transactions, which must be those of
 * the same snapshot.
 */
export const CHANGE_STATEMENTS = {
  page: {
    name: 'change-page',
    text: `WITH mark AS MATERIALIZED (SELECT ${HORIZON} AS horizon)
      SELECT coalesce((SELECT max(transaction) FROM change) >= mark.horizon, false) AS "isPending", page.*
      FROM mark LEFT JOIN LATERAL (
        SELECT ${selectList(COLUMNS)} FROM change
        WHERE (transaction, id) > ($1::bigint, $2::bigint) AND transaction < mark.horizon
        ORDER BY transaction, id LIMIT $3
      ) AS page ON true
      ORDER BY page.transaction, page.id`,
    repeatable: true,
  },
  find: {
    name: 'change-find',
    text: `SELECT transaction, id FROM change WHERE event_id = $1::uuid AND transaction < ${NEXT}`,
    repeatable: true,
  },
  latest: {
    name: 'change-latest',
    text: `SELECT ${selectList(COLUMNS)} FROM change
      WHERE transaction < (SELECT ${HORIZON}) ORDER BY transaction DESC, id DESC LIMIT 1`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/** Adds the first row, by hand because it is conditional. */
export const BEGIN_CHANGES: Statement = {
  name: 'change-begin',
  text: `INSERT INTO change ("type", reason, members) SELECT 'reset', 'no_position', '{}'
    WHERE NOT EXISTS (SELECT FROM change)`,
  repeatable: true,
};

type ChangeRow = RowOf<ChangeModel, typeof COLUMNS, Change>;

/** The numbers of a position, which the driver returns as texts. */
interface PositionRow {
  readonly transaction: string;
  readonly id: string;
}

type PageRow = { readonly isPending: boolean } & (Stored | { readonly eventId: null });
type Stored = Omit<ChangeRow, 'transaction' | 'id'> & PositionRow;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Creates the log of what ended, in Postgres. */
export function changeLog(run: RunStatement): ChangeLog {
  return {
    find: async (eventId) => {
      if (!UUID.test(eventId)) return undefined;
      const { rows } = await run<PositionRow>(CHANGE_STATEMENTS.find, [eventId]);
      return rows[0] && positionOf(rows[0]);
    },
    latest: async () => {
      const { rows } = await run<Stored>(CHANGE_STATEMENTS.latest, []);
      if (rows[0] !== undefined) return changeOf(rows[0]);
      await run(BEGIN_CHANGES, []);
      return undefined;
    },
    page: async ({ transaction, id }, limit) => {
      const { rows } = await run<PageRow>(CHANGE_STATEMENTS.page, [transaction, id, limit]);
      return {
        changes: rows.flatMap((row) => (row.eventId === null ? [] : [changeOf(row)])),
        isPending: rows[0]?.isPending ?? false,
      };
    },
  };
}

function positionOf({ transaction, id }: PositionRow): ChangePosition {
  return { transaction, id };
}

function changeOf(row: Stored): PlacedChange {
  const { eventId, occurredAt, type, reason, members } = row;
  const change = { id: eventId, type, occurredAt: epochSeconds(Math.floor(occurredAt)), reason, members };
  return { change, position: positionOf(row) };
}
