import type { AuditActor } from '@vestibule/clients';

/** An event that a statement records about its own change: SQL expressions over the rows of `from`. */
export interface RecordedEvent {
  /** The common table expression whose rows were changed; each becomes an event. */
  readonly from: string;
  readonly occurredAt: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  /** Digests of the state before and after; absent if there is no such state. */
  readonly before?: string;
  readonly after?: string;
  /** JSON without secrets. */
  readonly details?: string;
}

/** The default actor of recorded events. */
export const DEFAULT_ACTOR: AuditActor = 'service';

/**
 * Builds the expression for the digest of a client's state: SHA-256 over PostgreSQL's canonical JSON text. It reveals
 * no values, and equal states have equal digests.
 * @param table name or alias of the table
 */
export function clientStateDigest(table: string): string {
  const columns = ['metadata', 'data', 'rights', 'status'].map((name) => `${table}.${name}`);
  return `sha256(convert_to(jsonb_build_array(${columns.join(', ')})::text, 'UTF8'))`;
}

/** Builds the expression for the name of an initial access token: the first eight hexadecimal digits of its digest. */
export function initialTokenIdentity(digest: string): string {
  return `'initial_access_token:' || encode(substring(${digest} FROM 1 FOR 4), 'hex')`;
}

/** Builds the expression for a short digest of a subject or session: it can be looked up only by its identifier. */
export function shortDigest(name: string): string {
  return `encode(substring(sha256(convert_to(${name}::text, 'UTF8')) FROM 1 FOR 8), 'hex')`;
}

/** Builds the INSERT of events, as a common table expression or the end of the statement that makes the change. */
export function recordEvent(event: RecordedEvent): string {
  const { from, occurredAt, actor, action, target } = event;
  const { before = 'NULL::bytea', after = 'NULL::bytea', details = 'NULL::jsonb' } = event;
  return `INSERT INTO audit_event (occurred_at, actor, action, target, before_digest, after_digest, details)
    SELECT ${occurredAt}, ${actor}, ${action}, ${target}, ${before}, ${after}, ${details} FROM ${from}`;
}
