import type { JsonValue } from '@vestibule/protocol/json';
import { member } from '../column-values.js';
import type { RunStatement, Statement } from '../statement.js';
import type { AuditRecord } from './read-events.js';

/** Selects events; those that match all given members. */
export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  /** First time, in milliseconds since the Unix epoch. */
  readonly fromMs?: number;
  /** Time before which an event occurred, in milliseconds since the Unix epoch. */
  readonly untilMs?: number;
}

/** A place between the events in the order of their time. */
export interface AuditPosition {
  /** Milliseconds since the Unix epoch. */
  readonly occurredAtMs: number;
  /** Orders events of the same time. */
  readonly id: string;
}

/** The page of a list of events. */
export interface AuditListing {
  readonly filter: AuditFilter;
  /** Whether the events go back in time or forward. */
  readonly direction: 'older' | 'newer';
  /** Where the list begins; that event is not part of it. Default: the newest or the oldest event. */
  readonly start?: AuditPosition | undefined;
  /** Most events. */
  readonly limit: number;
}

/** Events in the order of the direction. */
export interface AuditPage {
  readonly events: readonly AuditRecord[];
  /**
   * Where the next page begins; absent when no further event can match. A page can have fewer events than its limit, or
   * none, because it searches a bounded number of events.
   */
  readonly end?: AuditPosition;
}

/** Lists audit events for operators. */
export interface ListedEvents {
  /** Lists events with constant work, however many there are and however few match. */
  list(listing: AuditListing): Promise<AuditPage>;
  /** Finds an event by its identifier, which has digits only. */
  find(id: string): Promise<AuditRecord | undefined>;
}

/** Most events that a page searches for those that match every member of its filter. */
export const SEARCHED_EVENTS = 5_000;

const NAMED = ['target', 'actor', 'action'] as const;

/** A member that is searched by an index. The first one of a filter is, in this order: targets have the fewest events. */
type Named = (typeof NAMED)[number];

const COLUMNS = `id::text AS id, extract(epoch FROM occurred_at)::float8 * 1000 AS "occurredAtMs", actor, action, target,
    encode(before_digest, 'hex') AS before, encode(after_digest, 'hex') AS after, details,
    position::text AS position, encode(hash, 'hex') AS hash`;

const FIND: Statement = {
  name: 'audit-find',
  text: `SELECT ${COLUMNS} FROM audit_event WHERE id = $1`,
  repeatable: true,
};

/** The statements of one index and direction. */
interface Search {
  readonly list: Statement;
  /** Returns the last event that `list` searches; none if there are fewer. */
  readonly last: Statement;
}

const ORDERS = { older: 'DESC', newer: 'ASC' } as const;

/**
 * Builds the statements. By hand, because Prisma Client cannot compare rows, nor bound how many events a filter reads.
 * They are planned for their values: a plan for any value reads and sorts all events of an actor that has many.
 * Parameters: the positions between which the events are; the value of `named`, if there is one. The list also has the
 * values of the other members, or null, and the limit.
 */
function search(named: Named | undefined, direction: AuditListing['direction']): Search {
  const order = ORDERS[direction];
  const searched = `FROM audit_event
      WHERE (occurred_at, id) > (to_timestamp($1::float8), $2::bigint)
        AND (occurred_at, id) < (to_timestamp($3::float8), $4::bigint)
        ${named === undefined ? '' : `AND ${named} = $5`}
      ORDER BY occurred_at ${order}, id ${order}`;
  const first = named === undefined ? 5 : 6;
  const others = othersThan(named).map(
    (other, index) => `($${first + index}::text IS NULL OR ${other} = $${first + index})`,
  );
  const name = `audit-${named ?? 'time'}-${direction}`;
  return {
    list: {
      name: `${name}-list`,
      text: `SELECT ${COLUMNS} FROM (SELECT * ${searched} LIMIT ${SEARCHED_EVENTS}) AS searched
      WHERE ${others.join(' AND ')}
      ORDER BY searched.occurred_at ${order}, searched.id ${order} LIMIT $8`,
      repeatable: true,
      isUnprepared: true,
    },
    last: {
      name: `${name}-last`,
      text: `SELECT id::text AS id, extract(epoch FROM occurred_at)::float8 * 1000 AS "occurredAtMs" FROM (
        SELECT occurred_at, id ${searched} LIMIT 1 OFFSET ${SEARCHED_EVENTS - 1}) AS searched`,
      repeatable: true,
      isUnprepared: true,
    },
  };
}

function othersThan(named: Named | undefined): readonly Named[] {
  return NAMED.filter((other) => other !== named);
}

type Searches = Readonly<Record<AuditListing['direction'], Search>>;

function searches(named: Named | undefined): Searches {
  return { older: search(named, 'older'), newer: search(named, 'newer') };
}

const SEARCHES: Readonly<Record<Named | 'time', Searches>> = {
  target: searches('target'),
  actor: searches('actor'),
  action: searches('action'),
  time: searches(undefined),
};

/** The statements of the list. */
export const LISTED_EVENT_STATEMENTS: readonly Statement[] = [
  FIND,
  ...Object.values(SEARCHES).flatMap(({ older, newer }) => [older.list, older.last, newer.list, newer.last]),
];

interface EventRow {
  readonly id: string;
  readonly occurredAtMs: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly details: JsonValue;
  readonly position: string | null;
  readonly hash: string | null;
}

/** Creates the list of audit events in Postgres. */
export function listedEvents(run: RunStatement): ListedEvents {
  return {
    list: async ({ filter, direction, start, limit }) => {
      const named = NAMED.find((name) => filter[name] !== undefined);
      const { list, last } = SEARCHES[named ?? 'time'][direction];
      const between = boundsOf(filter, direction, start).flatMap(({ occurredAtMs, id }) => [
        occurredAtMs / 1000,
        id,
      ]);
      const searched = named === undefined ? between : [...between, filter[named]];
      const others = othersThan(named).map((name) => filter[name] ?? null);
      const { rows } = await run<EventRow>(list, [...searched, ...others, limit + 1]);
      const isFiltered = others.some((value) => value !== null);
      const end = rows.length > limit ? rows[limit - 1] : isFiltered && (await firstRow(run, last, searched));
      return {
        events: rows.slice(0, limit).map(recordFromRow),
        ...(end && { end: { occurredAtMs: Math.round(end.occurredAtMs), id: end.id } }),
      };
    },
    find: async (id) => {
      const row = await firstRow<EventRow>(run, FIND, [id]);
      return row && recordFromRow(row);
    },
  };
}

/** Returns the positions between which the events of a page are. No event has the identifier 0. */
function boundsOf(
  { fromMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY }: AuditFilter,
  direction: AuditListing['direction'],
  start: AuditPosition | undefined,
): readonly [after: AuditPosition, before: AuditPosition] {
  const after = { occurredAtMs: fromMs, id: '0' };
  const before = { occurredAtMs: untilMs, id: '0' };
  if (start === undefined) return [after, before];
  return direction === 'older'
    ? [after, start.occurredAtMs < untilMs ? start : before]
    : [start.occurredAtMs >= fromMs ? start : after, before];
}

async function firstRow<Row = Pick<EventRow, 'id' | 'occurredAtMs'>>(
  run: RunStatement,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row | undefined> {
  return (await run<Row>(statement, values)).rows[0];
}

function recordFromRow({ id, occurredAtMs, actor, action, target, ...rest }: EventRow): AuditRecord {
  return {
    id,
    occurredAt: new Date(Math.round(occurredAtMs)).toISOString(),
    actor,
    action,
    target,
    ...member('before', rest.before),
    ...member('after', rest.after),
    ...member('details', rest.details),
    ...member('position', rest.position),
    ...member('hash', rest.hash),
  };
}
