import type { JoseHeader } from '@vestibule/crypto/jwt';
import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EntityMetadata, MetadataPolicy } from '@vestibule/metadata/policy';
import type { EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Constraints } from '../constraints/constraints.js';
import type { EntityId } from '../entity-id.js';
import type { Profile } from '../profile.js';

declare const stage: unique symbol;

/** A decoded statement of which nothing is known: neither that its claims make sense, nor who signed it. */
export interface UnverifiedStatement {
  readonly [stage]: 'unverified';
  readonly token: string;
  readonly header: JoseHeader;
  readonly claims: JsonObject;
}

/** What every entity statement says (OpenID Federation 1.0 section 3.1.1). */
interface StatementContent {
  /** The statement as it was given. */
  readonly token: string;
  readonly profile: Profile;
  readonly header: JoseHeader;
  readonly issuer: EntityId;
  readonly subject: EntityId;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** The federation keys of the subject. */
  readonly jwks: PublicJwkSet;
  /** Empty when there is none. */
  readonly metadata: EntityMetadata;
  /** Every claim as it was given. */
  readonly claims: JsonObject;
}

/** What an entity says of itself (OpenID Federation 1.0 section 3.1.2). */
export interface EntityConfigurationContent extends StatementContent {
  readonly kind: 'configuration';
  /** The immediate superiors; empty when there are none. */
  readonly authorityHints: readonly EntityId[];
  readonly trustMarks: readonly StatedTrustMark[];
  /** By trust mark type, who may issue it; anyone when the list is empty. Counts in an anchor's configuration alone. */
  readonly trustMarkIssuers: ReadonlyMap<string, readonly EntityId[]>;
  /** By trust mark type, who owns it. Counts in an anchor's configuration alone. */
  readonly trustMarkOwners: ReadonlyMap<string, TrustMarkOwner>;
  /** The recipients, when the statement is a registration request. */
  readonly audience: readonly string[] | undefined;
  /** The anchor that a registration request of a draft asks for (`trust_anchor_id`). */
  readonly requestedAnchor: EntityId | undefined;
}

/** What a superior says of an entity right below it (OpenID Federation 1.0 section 3.1.3). */
export interface SubordinateStatementContent extends StatementContent {
  readonly kind: 'subordinate';
  readonly policy: MetadataPolicy | undefined;
  readonly constraints: Constraints;
}

/** A trust mark in an entity configuration; only its type is known to be the one in the mark. */
export interface StatedTrustMark {
  readonly type: string;
  readonly token: string;
}

/** The owner of a trust mark type, which may delegate issuing it (OpenID Federation 1.0 section 7.2). */
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

/** An entity configuration whose signature stands. */
export type VerifiedConfiguration = Verified<EntityConfigurationContent>;

/** A subordinate statement whose signature stands. */
export type VerifiedSubordinateStatement = Verified<SubordinateStatementContent>;
