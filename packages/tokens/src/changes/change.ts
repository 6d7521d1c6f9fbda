import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';

/**
 * Types of changes.
 *
 * - `session.ended`: a login session, with its clients
 * - `session.client_ended`: one client of a session that goes on
 * - `tokens.revoked`: `covers` says which tokens
 * - `client.ended`: a client with everything issued to it
 * - `client.resumed`: a suspended client is active again
 * - `reset`: changes may be missing before this one
 */
export const CHANGE_TYPES = [
  'session.ended',
  'session.client_ended',
  'tokens.revoked',
  'client.ended',
  'client.resumed',
  'reset',
] as const;

/** A type of change. */
export type ChangeType = (typeof CHANGE_TYPES)[number];

/**
 * Reasons of changes.
 *
 * - `logout`: the end-user, at the logout page or at the provider
 * - `operator`: with the master token or at the command line
 * - `revoked`, `used`: a revocation, or a token that may be used only once
 * - `expired`, `unused`: its time ended, or that for a first use
 * - `deleted`, `suspended`: a client that was deleted or suspended, or a row that another program deleted
 * - `resumed`: of a client that is active again
 * - `no_position`, `unknown_position`, `truncated`: of a reset
 */
export const CHANGE_REASONS = [
  'logout',
  'operator',
  'revoked',
  'used',
  'expired',
  'unused',
  'deleted',
  'suspended',
  'resumed',
  'no_position',
  'unknown_position',
  'truncated',
] as const;

/** A reason of a change. */
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/** What the tokens of `tokens.revoked` have in common: all tokens of it, or the one token. */
export const REVOCATION_RANGES = ['token', 'grant', 'client', 'subject', 'session', 'issuer'] as const;

/** Something that ended. Without tokens and secrets. */
export interface Change {
  /** Opaque; unique and final. Also the position after the change. */
  readonly id: string;
  /** One of {@link CHANGE_TYPES}, or one of a later version. */
  readonly type: string;
  readonly occurredAt: EpochSeconds;
  /** One of {@link CHANGE_REASONS}, or one of a later version. */
  readonly reason: string;
  /** The identifiers, as members of the event. */
  readonly members: JsonObject;
}

/** Converts a change to the event that readers get (authorization/API.md#changes). */
export function changeEvent({ id, type, occurredAt, reason, members }: Change): JsonObject {
  return { id, type, occurred_at: occurredAt, reason, ...members };
}
