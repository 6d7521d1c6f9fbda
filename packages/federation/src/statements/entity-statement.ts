import type { JoseHeader } from '@vestibule/crypto/jwt';
import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EntityMetadata, MetadataPolicy } from '@vestibule/metadata/policy';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Constraints } from '../constraints/constraints.js';
import type { EntityId } from '../entity-id.js';
import type { Profile } from '../profile.js';

declare const stage: unique symbol;

/** A decoded statement, with neither its claims nor its signature checked. */
export interface UnverifiedStatement {
  readonly [stage]: 'unverified';
  readonly token: string;
  readonly header: JoseHeader;
  readonly claims: JsonObject;
}

/** The content of every entity statement (OpenID Federation 1.0 section 3.1.1). */
interface StatementContent {
  /** The statement as received. */
  readonly token: string;
  readonly profile: Profile;
  readonly header: JoseHeader;
  readonly issuer: EntityId;
  readonly subject: EntityId;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** The federation keys of the subject. */
  readonly jwks: PublicJwkSet;
  /** Empty if there are none. */
  readonly metadata: EntityMetadata;
  /** Every claim as received. */
  readonly claims: JsonObject;
}

/** The configuration of an entity (OpenID Federation 1.0 section 3.1.2). */
export interface EntityConfigurationContent extends StatementContent {
  readonly kind: 'configuration';
  /** The immediate superiors; empty if there are none. */
  readonly authorityHints: readonly EntityId[];
  readonly trustMarks: readonly StatedTrustMark[];
  /**
   * The permitted issuers by trust mark type; an empty list permits any. Used only in the configuration of an anchor.
   */
  readonly trustMarkIssuers: ReadonlyMap<string, readonly EntityId[]>;
  /** The owners by trust mark type. Used only in the configuration of an anchor. */
  readonly trustMarkOwners: ReadonlyMap<string, TrustMarkOwner>;
  /** The recipients, if the statement is a registration request. */
  readonly audience: readonly string[] | undefined;
  /** The anchor that a registration request of the draft profile names (`trust_anchor_id`). */
  readonly requestedAnchor: EntityId | undefined;
}

/** The statement of a superior about an immediate subordinate (OpenID Federation 1.0 section 3.1.3). */
export interface SubordinateStatementContent extends StatementContent {
  readonly kind: 'subordinate';
  readonly policy: MetadataPolicy | undefined;
  readonly constraints: Constraints;
}

/** A trust mark in an entity configuration; only its type is checked against the mark. */
export interface StatedTrustMark {
  readonly type: string;
  readonly token: string;
}

/** The owner of a trust mark type, which may delegate its issuance (OpenID Federation 1.0 section 7.2). */
export interface TrustMarkOwner {
  readonly subject: EntityId;
  readonly jwks: PublicJwkSet;
}

/** Well-formed by the rules of its profile; neither its signature nor its times are checked. */
export type Parsed<Content> = Content & { readonly [stage]: 'parsed' };

/** Well-formed, and signed with a key that the verifier chose. */
export type Verified<Content> = Content & { readonly [stage]: 'verified' };

/** An entity configuration whose signature is not verified yet. */
export type ParsedConfiguration = Parsed<EntityConfigurationContent>;

/** A subordinate statement whose signature is not verified yet. */
export type ParsedSubordinateStatement = Parsed<SubordinateStatementContent>;

/** An entity configuration whose signature is verified. */
export type VerifiedConfiguration = Verified<EntityConfigurationContent>;

/** A subordinate statement whose signature is verified. */
export type VerifiedSubordinateStatement = Verified<SubordinateStatementContent>;
