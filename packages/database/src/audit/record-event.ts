import type { AuditActor } from '@vestibule/clients';

/** An event that a statement records of what it changed: pieces of SQL over the rows of `from`. */
export interface RecordedEvent {
  /** The common table expression whose rows were changed; each becomes an event. */
  readonly from: string;
  readonly occurredAt: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  /** Digests of the state before and after; none where there is no such state. */
  readonly before?: string;
  readonly after?: string;
  /** JSON without anything secret. */
  readonly details?: string;
}

/** What is recorded when the caller says nothing else. */
export const DEFAULT_ACTOR: AuditActor = 'service';

/**
 * The digest of what a client is registered as: SHA-256 over the canonical text that PostgreSQL gives JSON. Holds no
 * value, and equal states have equal digests.
 * @param table the name that the columns go by
 */
export function clientStateDigest(table: string): string {
  const columns = ['metadata', 'data', 'rights', 'status'].map((name) => `${table}.${name}`);
  return `sha256(convert_to(jsonb_build_array(${columns.join(', ')})::text, 'UTF8'))`;
}

/** The public identity of an initial access token: the first eight hexadecimal digits of its digest. */
export function initialTokenIdentity(digest: string): string {
  return `'initial_access_token:' || encode(substring(${digest} FROM 1 FOR 4), 'hex')`;
}

/** What an end-user or a session goes by: whoever knows the name can look it up, and it says nothing to others. */
export function shortDigest(name: string): string {
  return `encode(substring(sha256(convert_to(${name}::text, 'UTF8')) FROM 1 FOR 8), 'hex')`;
}

/** The INSERT that records events; a common table expression, or the end, of the statement that makes the change. */
export function recordEvent(event: RecordedEvent): string {
  const { from, occurredAt, actor, action, target } = event;
  const { before = 'NULL::bytea', after = 'NULL::bytea', details = 'NULL::jsonb' } = event;
  return `INSERT INTO audit_event (occurred_at, actor, action, target, before_digest, after_digest, details)
    SELECT ${occurredAt}, ${actor}, ${action}, ${target}, ${before}, ${after}, ${details} FROM ${from}`;
}
