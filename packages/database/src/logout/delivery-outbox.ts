import type {
  ClaimedDelivery,
  DeliveryOutbox,
  DeliveryRecord,
  RedeliveryOutcome,
} from '@vestibule/logout/delivery';
import { type ColumnsOf, type RowOf, selectList, storedMembers } from '../columns.js';
import type { LogoutDelivery } from '../generated/client.js';
import type { RunStatement, Statement } from '../statement.js';
import { CLAIM, CLAIMED_COLUMNS } from './claim-statement.js';

/** The channel that the triggers of the database notify when there are deliveries. */
export const LOGOUT_CHANNEL = 'vestibule_logout';

/** Truncated, because columns round to milliseconds, and a delivery that is due now would be due slightly later. */
const THIS_INSTANT = "date_trunc('milliseconds', now())";

/**
 * The statements of the outbox. By hand, because each is one atomic statement with the clock of the database: with joins,
 * a notification or locked rows that are skipped, or with counts of the same moment.
 */
export const DELIVERY_STATEMENTS = {
  claim: CLAIM,
  // A successful delivery is final, even if its lease has ended and another process tried in between.
  settle: {
    name: 'logout-delivery-settle',
    text: `UPDATE logout_delivery AS delivery SET
        state = result.state::logout_delivery_state,
        next_attempt_at = ${THIS_INSTANT} + result.wait_ms * interval '1 millisecond',
        leased_until = NULL,
        last_status = result.status,
        last_error = result.error,
        finished_at = CASE WHEN result.state = 'pending' THEN NULL ELSE now() END
      FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::float8[], $5::integer[], $6::text[])
        AS result (id, attempt, state, wait_ms, status, error)
      WHERE delivery.id = result.id AND delivery.state = 'pending'
        AND (delivery.attempts = result.attempt OR result.state = 'delivered')`,
    repeatable: true,
  },
  redeliver: {
    name: 'logout-delivery-redeliver',
    text: `WITH queued AS (
        UPDATE logout_delivery SET state = 'pending', next_attempt_at = ${THIS_INSTANT}, redelivered_at = now(),
          finished_at = NULL, uri = coalesce(
            (SELECT metadata->>'backchannel_logout_uri' FROM client WHERE client.id = logout_delivery.client_id), uri)
        WHERE id = $1 AND state <> 'pending' RETURNING id, pg_notify('${LOGOUT_CHANNEL}', '')
      )
      SELECT EXISTS (SELECT FROM queued) AS is_queued FROM logout_delivery WHERE id = $1`,
    repeatable: false,
  },
  waiting: {
    name: 'logout-delivery-waiting',
    text: `SELECT (SELECT count(*)::int FROM logout_delivery WHERE state = 'pending') AS pending,
      (SELECT count(*)::int FROM logout_delivery WHERE state = 'dead') AS dead,
      (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
        FROM logout_delivery WHERE state = 'pending') AS oldest_seconds`,
    repeatable: true,
  },
  forgetFinished: {
    name: 'logout-delivery-forget-finished',
    text: `DELETE FROM logout_delivery WHERE id = ANY(ARRAY(
        SELECT id FROM logout_delivery WHERE state <> 'pending' AND finished_at <= to_timestamp($1)
        ORDER BY finished_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

interface ClaimRow extends RowOf<LogoutDelivery, typeof CLAIMED_COLUMNS, ClaimedDelivery> {
  readonly lastHost: string | null;
  readonly lastClientId: string | null;
  readonly isCutOff: boolean;
  /** Null if nothing was claimed. */
  readonly id: string | null;
  readonly ageMs: number;
}

const RECORD_COLUMNS = {
  clientId: 'text',
  uri: 'text',
  state: 'logout_delivery_state',
  attempts: 'integer',
  nextAttemptAt: 'time',
  lastStatus: 'integer',
  lastError: 'text',
  createdAt: 'time',
  redeliveredAt: 'time',
  finishedAt: 'time',
} as const satisfies ColumnsOf<LogoutDelivery>;

interface RecordRow extends RowOf<LogoutDelivery, typeof RECORD_COLUMNS, DeliveryRecord> {
  readonly id: string;
}

interface WaitingRow {
  readonly pending: number;
  readonly dead: number;
  readonly oldest_seconds: number;
}

/** Creates the outbox in Postgres. Leases and waits use the clock of the database, so that all processes agree. */
export function deliveryOutbox(run: RunStatement): DeliveryOutbox {
  const { claim, settle, redeliver, waiting, forgetFinished } = DELIVERY_STATEMENTS;
  return {
    claim: async ({ limit, leaseMs, hosts, slotsOfHost, targets, slotsOfTarget, from }) => {
      const { rows } = await run<ClaimRow>(claim, [
        from?.host ?? '',
        from?.clientId ?? '',
        hosts.map(({ host }) => host),
        hosts.map(({ slots }) => slots),
        slotsOfHost,
        limit,
        leaseMs,
        targets.map(({ host }) => host),
        targets.map(({ clientId }) => clientId),
        targets.map(({ slots }) => slots),
        slotsOfTarget,
      ]);
      const deliveries = rows.flatMap((row) => claimedFromRow(row));
      const [first] = rows;
      if (!first?.isCutOff || first.lastHost === null || first.lastClientId === null) return { deliveries };
      return { deliveries, next: { host: first.lastHost, clientId: first.lastClientId } };
    },
    settle: async (results) => {
      await run(settle, [
        results.map(({ id }) => id),
        results.map(({ attempt }) => attempt),
        results.map(({ state }) => state),
        results.map(({ waitMs }) => waitMs),
        results.map(({ status }) => status ?? null),
        results.map(({ error }) => error ?? null),
      ]);
    },
    list: async ({ before, limit, ...selection }) => {
      const filters = LIST_FILTERS.filter(({ member: name }) => selection[name] !== undefined);
      const values = filters.map(({ member: name }) => selection[name]);
      const { rows } = await run<RecordRow>(listStatement(filters), [before ?? null, limit, ...values]);
      return rows.map(recordFromRow);
    },
    redeliver: async (id): Promise<RedeliveryOutcome> => {
      const [row] = (await run<{ is_queued: boolean }>(redeliver, [id])).rows;
      if (row === undefined) return 'unknown';
      return row.is_queued ? 'queued' : 'already_pending';
    },
    waiting: async () => {
      const [row] = (await run<WaitingRow>(waiting, [])).rows;
      return {
        pending: row?.pending ?? 0,
        dead: row?.dead ?? 0,
        oldestSeconds: Math.max(0, row?.oldest_seconds ?? 0),
      };
    },
    forgetFinished: async (by, limit) => (await run(forgetFinished, [by, limit])).rowCount,
  };
}

function claimedFromRow(row: ClaimRow): ClaimedDelivery[] {
  const { id, ageMs } = row;
  if (id === null) return [];
  const { attempts: attempt, ...members } = storedMembers(CLAIMED_COLUMNS, row);
  return [{ id, ...members, attempt, ageMs }];
}

function recordFromRow(row: RecordRow): DeliveryRecord {
  const nextAttemptAt = row.state === 'pending' ? row.nextAttemptAt : null;
  return { id: row.id, ...storedMembers(RECORD_COLUMNS, { ...row, nextAttemptAt }) };
}

/** A filter of the list, with its condition. */
export interface ListFilter {
  readonly member: 'clientId' | 'state' | 'subject' | 'session';
  readonly condition: (parameter: string) => string;
}

/**
 * The filters of the list. A session has its own identifier and a `sid` at each client; any of them finds all its
 * notifications.
 */
export const LIST_FILTERS: readonly ListFilter[] = [
  { member: 'clientId', condition: (value) => `client_id = ${value}` },
  { member: 'state', condition: (value) => `state = ${value}::logout_delivery_state` },
  { member: 'subject', condition: (value) => `coalesce(subject, account_id) = ${value}` },
  {
    member: 'session',
    condition: (value) => `id = ANY(ARRAY(
        SELECT id FROM logout_delivery WHERE sid = ${value}
        UNION SELECT id FROM logout_delivery WHERE session_id IN (
          SELECT ${value}::text UNION SELECT session_id FROM logout_delivery WHERE sid = ${value})))`,
  },
];

/**
 * Builds the list statement. By hand, because Prisma Client cannot name the expression by which the notifications of an
 * end-user are indexed, and finds those of a session only with several statements. Parameters: the identifier to start
 * before, or null; the limit; those of the filters.
 */
export function listStatement(filters: readonly ListFilter[]): Statement {
  const conditions = filters.map(({ condition }, index) => ` AND ${condition(`$${index + 3}`)}`).join('');
  return {
    name: ['logout-delivery-list', ...filters.map((filter) => filter.member)].join('-'),
    text: `SELECT id::text AS id, ${selectList(RECORD_COLUMNS)}
      FROM logout_delivery WHERE id < coalesce($1::bigint, 9223372036854775807)${conditions}
      ORDER BY logout_delivery.id DESC LIMIT $2`,
    repeatable: true,
  };
}
