import type { MasterToken } from '@vestibule/clients';
import type { KeyRing } from '@vestibule/crypto';
import type { FederationRecords } from '@vestibule/database';
import type { DraftProfileUse } from '@vestibule/federation';
import type { FederationRegistrationDeps } from '@vestibule/federation/clients';
import type { Issuer, JsonObject } from '@vestibule/protocol';
import type { FederationRegistrationMetrics, OwnTrustMark } from '@vestibule/service-kit/federation';

/** What the federation endpoints work with: ports and settings, nothing else. */
export interface FederationServiceDeps {
  readonly issuer: Issuer;
  readonly masterToken: MasterToken;
  /** Absent where federation is not enabled. */
  readonly federation?: Federation;
  /** Whether the API document has a page. Default not. */
  readonly hasApiPage?: boolean;
}

/** Our place in federations, and what registering their members takes. */
export interface Federation extends FederationRegistrationDeps {
  readonly provider: OwnEntity;
  /** Counts what becomes of registrations. */
  readonly metrics: Pick<FederationRegistrationMetrics, 'registration'>;
  /** What becomes of registrations in the draft profile. */
  readonly draftProfile: DraftProfileUse;
  /** The longest life of a registration in seconds; 0 for as long as the chain. */
  readonly clientLifetimeSeconds: number;
}

/** What we are and say of ourselves as an entity. */
export interface OwnEntity {
  readonly self: FederationRegistrationDeps['self'];
  /** Our federation keys, which sign nothing else. */
  readonly keys: Pick<KeyRing, 'signingKey' | 'publicJwks'>;
  /** Our earlier federation keys, which are published no more. */
  readonly historicalKeys: FederationRecords['historicalKeys'];
  /** The keys of the provider, for publication. */
  readonly providerKeys: Pick<KeyRing, 'publicJwks'>;
  /** The discovery document of the authorisation server; rejects when it cannot be had. */
  readonly providerMetadata: FederationRegistrationDeps['providerMetadata'];
  readonly authorityHints: readonly string[];
  readonly trustMarks: readonly OwnTrustMark[];
  /** The configured information about us, members of `federation_entity` metadata. */
  readonly information: JsonObject;
  readonly statementLifetimeSeconds: number;
  /** How long others may keep a copy of the keys of the provider, in seconds. */
  readonly providerKeysMaxAgeSeconds: number;
}
