import type { PolicyFailure } from '@vestibule/metadata/policy';

/**
 * Why an entity statement, a trust chain, a trust mark or a registration request was not accepted; stable, for logs,
 * metrics and explanations.
 */
export const FEDERATION_REASONS = [
  /** No signed JWT in compact serialization, or too long. */
  'malformed_statement',
  /** The `typ` header is not that of the kind. */
  'wrong_type',
  /** The algorithm is `none`, symmetric, unknown or not of the profile. */
  'algorithm',
  /** `kid` is missing, or names no key. */
  'key_id',
  /** A header member that must not be there, or is ill-typed. */
  'header',
  /** A claim is missing, ill-typed, or must not be there. */
  'claims',
  /** The audience is not us alone. */
  'audience',
  /** `crit` names a claim that is not understood, or is itself malformed. */
  'critical_claim',
  /** `metadata_policy_crit` names an operator that is not understood, or is itself malformed. */
  'critical_operator',
  /** The key set is malformed, holds a private key, or a key without an identifier. */
  'key_set',
  /** `authority_hints` is missing or empty. */
  'authority_hints',
  /** `metadata` is malformed, or lacks the entity type that is needed. */
  'metadata',
  /** A statement about another entity, or by another one, than it should be. */
  'unexpected_statement',
  /** The issuer of a statement is not among the superiors that its subject names. */
  'not_a_superior',
  /** The signature does not verify. */
  'signature',
  'expired',
  'issued_in_future',
  /** A statement that was sent a second time, or that is older than the one that is registered. */
  'replayed',
  /** The chain does not end at an anchor that is configured, or not at the one that was asked for. */
  'unknown_anchor',
  /** An entity of the path is on the deny list of the operator. */
  'denied',
  /** An entity stands twice in the path. */
  'loop',
  /** The path is longer than configured here. */
  'path_too_long',
  /** A superior's `max_path_length` is exceeded. */
  'max_path_length',
  /** A superior's `naming_constraints` do not permit an entity. */
  'naming_constraints',
  /** A superior's `allowed_entity_types` leave nothing of the type that is needed. */
  'entity_type',
  /** `constraints` is malformed. */
  'constraints',
  /** `metadata_policy` is malformed, or combines operators that must not be combined. */
  'policy_malformed',
  /** Two policies of the chain cannot be merged. */
  'policy_conflict',
  /** The metadata does not comply with the policy. */
  'policy_violation',
  /** A trust mark that a registration needs is missing or not valid. */
  'trust_mark',
  /** The issuer of a trust mark says that the mark is not active, or publishes a status endpoint that is no address. */
  'trust_mark_status',
  /** The issuer of a trust mark could not be asked whether the mark is active. */
  'trust_mark_unconfirmed',
  /** A statement cannot be had, whatever the reason. */
  'unresolvable',
  /** There was no room here for a request to another entity. */
  'overloaded',
  /** A superior publishes no address to fetch statements from. */
  'no_fetch_endpoint',
  /** More superiors are named, or more paths lead on, than are looked at. */
  'too_many_hints',
  /** The fetches of one resolution are used up. */
  'fetch_budget',
  /** The time of one resolution is used up. */
  'time_budget',
  /** A given chain is malformed, too long, or not about the expected entity. */
  'given_chain',
] as const;

/** A stable reason of a failure in a federation. */
export type FederationReason = (typeof FEDERATION_REASONS)[number];

/** Reasons that say what a resolution may cost here, and nothing about the entity. */
const CAPACITY_REASONS: readonly FederationReason[] = ['overloaded', 'fetch_budget', 'time_budget'];

/** Whether a resolution ended for want of capacity: its entity may be trusted at another time. */
export function isCapacityReason(reason: FederationReason | undefined): boolean {
  return reason !== undefined && CAPACITY_REASONS.includes(reason);
}

/**
 * A statement, chain or request that cannot be trusted or understood. The message is a fixed English sentence for
 * operators, which names members and never repeats a value.
 */
export class FederationFailure extends Error {
  override readonly name = 'FederationFailure';
  readonly reason: FederationReason;

  constructor(reason: FederationReason, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** Names come from foreign statements: only these are safe to repeat. */
const PLAIN_NAME = /^[A-Za-z0-9_.#-]{1,64}$/;

/** A refusal that begins with the member that it is about. */
export function ofMember(name: string, detail: string): string {
  return PLAIN_NAME.test(name) ? `${name}: ${detail}` : detail;
}

/** The refusal of a metadata policy as a failure in a federation; its detail begins with the parameter. */
export function failureOfPolicy(failure: PolicyFailure): FederationFailure {
  const { reason, parameter = '', message } = failure;
  return new FederationFailure(reason, ofMember(parameter, message), failure);
}
