import type { JsonValue } from '@vestibule/protocol';
import type { RunStatement, Statement } from '../statement.js';

/** A stored audit event. It contains no secrets. */
export interface AuditRecord {
  readonly id: string;
  /** RFC 3339, to the millisecond, in UTC. */
  readonly occurredAt: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  /** SHA-256 in hexadecimal of the state before and after; absent if there is no such state. */
  readonly before?: string;
  readonly after?: string;
  readonly details?: JsonValue;
  /** Position in the chain, and hash in hexadecimal; absent until the event is chained. */
  readonly position?: string;
  readonly hash?: string;
}

/** Selects events. */
export interface AuditSelection {
  /** Only events after this identifier. */
  readonly after?: bigint;
  /** Only events about this target. */
  readonly target?: string;
}

interface EventRow {
  readonly id: string;
  readonly occurred_at_ms: number;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly details: JsonValue | null;
  readonly position: string | null;
  readonly hash: string | null;
}

const PAGE_SIZE = 1_000;

/** The statement that reads a page of events. */
export const AUDIT_PAGE: Statement = {
  name: 'audit-page',
  text: `SELECT id::text AS id, (extract(epoch FROM occurred_at) * 1000)::float8 AS occurred_at_ms, actor, action, target,
      encode(before_digest, 'hex') AS before, encode(after_digest, 'hex') AS after, details,
      position::text AS position, encode(hash, 'hex') AS hash
    FROM audit_event WHERE audit_event.id > $1 AND ($2::text IS NULL OR target = $2)
    ORDER BY audit_event.id LIMIT ${PAGE_SIZE}`,
  repeatable: true,
};

/** Reads audit events in the order in which they were recorded, in constant memory. */
export async function* readEvents(
  run: RunStatement,
  { after = 0n, target }: AuditSelection = {},
): AsyncGenerator<AuditRecord> {
  let last = after.toString();
  for (;;) {
    const { rows } = await run<EventRow>(AUDIT_PAGE, [last, target ?? null]);
    yield* rows.map(recordFromRow);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE_SIZE) return;
    last = end.id;
  }
}

function recordFromRow({
  occurred_at_ms,
  before,
  after,
  details,
  position,
  hash,
  ...same
}: EventRow): AuditRecord {
  return {
    ...same,
    occurredAt: new Date(Math.round(occurred_at_ms)).toISOString(),
    ...(before !== null && { before }),
    ...(after !== null && { after }),
    ...(details !== null && { details }),
    ...(position !== null && { position }),
    ...(hash !== null && { hash }),
  };
}
