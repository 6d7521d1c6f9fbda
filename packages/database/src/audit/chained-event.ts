import { sha256 } from '@vestibule/crypto';

/** The hashed form of an event: its columns as text by PostgreSQL, with `occurredAtMs` in milliseconds. */
export interface ChainedEvent {
  readonly id: string;
  readonly occurredAtMs: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly details: string | null;
}

/** The SELECT list of the hashed form. */
export const CHAINED_COLUMNS = `id::text AS id, (extract(epoch FROM occurred_at) * 1000)::bigint::text AS "occurredAtMs",
  actor, action, target, encode(before_digest, 'hex') AS before, encode(after_digest, 'hex') AS after,
  details::text AS details`;

/** The hash before the first event. */
export const GENESIS = Buffer.alloc(32);

/**
 * Calculates the hash of the event at a position: SHA-256 over the previous hash and an unambiguous encoding of the
 * event.
 */
export function chainHash(previous: Uint8Array, position: bigint, event: ChainedEvent): Uint8Array {
  const { id, occurredAtMs, actor, action, target, before, after, details } = event;
  const canonical = JSON.stringify([
    position.toString(),
    id,
    occurredAtMs,
    actor,
    action,
    target,
    before,
    after,
    details,
  ]);
  return sha256(Buffer.concat([previous, Buffer.from(canonical)]));
}
