import type { JsonValue } from '@vestibule/protocol/json';
import { jsonOf, member } from '../column-values.js';
import type { AuditEvent } from '../generated/client.js';
import type { ObtainPrisma } from '../lazy-prisma.js';

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
  /** Only events before this identifier. */
  readonly before?: bigint;
  /** Only events about this target. */
  readonly target?: string;
}

const PAGE_SIZE = 1_000;

/** Reads audit events in the order in which they were recorded, in constant memory. */
export async function* readEvents(
  obtainPrisma: ObtainPrisma,
  { after = 0n, before, target }: AuditSelection = {},
): AsyncGenerator<AuditRecord> {
  const { auditEvent } = await obtainPrisma();
  let last = after;
  for (;;) {
    const events = await auditEvent.findMany({
      where: {
        id: { gt: last, ...(before !== undefined && { lt: before }) },
        ...(target !== undefined && { target }),
      },
      orderBy: { id: 'asc' },
      take: PAGE_SIZE,
    });
    yield* events.map(recordFromEvent);
    const end = events.at(-1);
    if (end === undefined || events.length < PAGE_SIZE) return;
    last = end.id;
  }
}

function recordFromEvent(event: AuditEvent): AuditRecord {
  const { actor, action, target } = event;
  return {
    id: event.id.toString(),
    occurredAt: event.occurredAt.toISOString(),
    actor,
    action,
    target,
    ...member('before', hexadecimal(event.beforeDigest)),
    ...member('after', hexadecimal(event.afterDigest)),
    ...member('details', jsonOf<JsonValue>(event.details)),
    ...member('position', event.position?.toString() ?? null),
    ...member('hash', hexadecimal(event.hash)),
  };
}

function hexadecimal(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('hex');
}
