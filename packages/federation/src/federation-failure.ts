import type { PolicyFailure } from '@vestibule/metadata/policy';

/**
 * Reasons why an entity statement, a trust chain, a trust mark or a registration request was not accepted; stable, for
 * logs, metrics and explanations.
 */
export const FEDERATION_REASONS = [
  /** Not a signed JWT in compact serialization, or too long. */
  'malformed_statement',
  /** The `typ` header is not that of the statement type. */
  'wrong_type',
  /** The algorithm is `none`, symmetric, unknown or not permitted by the profile. */
  'algorithm',
  /** `kid` is missing, or identifies no key. */
  'key_id',
  /** A forbidden or ill-typed header member. */
  'header',
  /** A claim is missing, ill-typed or forbidden. */
  'claims',
  /** The audience is not exactly this provider. */
  'audience',
  /** `crit` names an unsupported claim, or is itself malformed. */
  'critical_claim',
  /** `metadata_policy_crit` names an unsupported operator, or is itself malformed. */
  'critical_operator',
  /** The key set is malformed, contains a private key, or a key without an identifier. */
  'key_set',
  /** `authority_hints` is missing or empty. */
  'authority_hints',
  /** `metadata` is malformed, or lacks the required entity type. */
  'metadata',
  /** The statement is about or by another entity than expected. */
  'unexpected_statement',
  /** The issuer of a statement is not among the superiors that its subject names. */
  'not_a_superior',
  /** The signature does not verify. */
  'signature',
  'expired',
  'issued_in_future',
  /** A statement that was sent a second time, or that is older than that of the registration. */
  'replayed',
  /** The chain does not end at a configured anchor, or not at the requested one. */
  'unknown_anchor',
  /** An entity of the path is on the deny list of the operator. */
  'denied',
  /** An entity is in the path twice. */
  'loop',
  /** The path is longer than configured here. */
  'path_too_long',
  /** The `max_path_length` of a superior is exceeded. */
  'max_path_length',
  /** The `naming_constraints` of a superior do not permit an entity. */
  'naming_constraints',
  /** The `allowed_entity_types` of a superior leave nothing of the required type. */
  'entity_type',
  /** `constraints` is malformed. */
  'constraints',
  /** `metadata_policy` is malformed, or combines operators that cannot be combined. */
  'policy_malformed',
  /** Two policies of the chain cannot be merged. */
  'policy_conflict',
  /** The metadata does not comply with the policy. */
  'policy_violation',
  /** A trust mark that a registration requires is missing or invalid. */
  'trust_mark',
  /**
   * The issuer of a trust mark responds that the mark is not active, or publishes a status endpoint that is not a URL.
   */
  'trust_mark_status',
  /** The status endpoint of a trust mark could not be reached. */
  'trust_mark_unconfirmed',
  /** A statement is unavailable, whatever the reason. */
  'unresolvable',
  /** There was no capacity for a request to another entity. */
  'overloaded',
  /** A superior publishes no fetch endpoint. */
  'no_fetch_endpoint',
  /** There are more superiors or paths than the limits permit. */
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

/** Reasons that are about our limits, and not about the entity. */
const CAPACITY_REASONS: readonly FederationReason[] = ['overloaded', 'fetch_budget', 'time_budget'];

/** Whether a resolution ended for lack of capacity: its entity may be trusted at another time. */
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

/** Names come from statements of other entities: only these are safe to repeat. */
const PLAIN_NAME = /^[A-Za-z0-9_.#-]{1,64}$/;

/** A refusal that begins with the member that it is about. */
export function ofMember(name: string, detail: string): string {
  return PLAIN_NAME.test(name) ? `${name}: ${detail}` : detail;
}

/** The refusal of a metadata policy as a federation failure; its detail begins with the parameter. */
export function failureOfPolicy(failure: PolicyFailure): FederationFailure {
  const { reason, parameter = '', message } = failure;
  return new FederationFailure(reason, ofMember(parameter, message), failure);
}
