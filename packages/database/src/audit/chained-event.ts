import { sha256 } from '@vestibule/crypto';

/** An event as the chain sees it: texts that PostgreSQL makes of its columns, `occurredAtMs` in milliseconds. */
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

/** The columns of an event as the chain sees it. */
export const CHAINED_COLUMNS = `id::text AS id, (extract(epoch FROM occurred_at) * 1000)::bigint::text AS "occurredAtMs",
  actor, action, target, encode(before_digest, 'hex') AS before, encode(after_digest, 'hex') AS after,
  details::text AS details`;

/** What comes before the first event. */
export const GENESIS = Buffer.alloc(32);

/**
 * The hash of the event at a position: SHA-256 over the hash before it and the event in a form that has no other
 * reading.
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
