import type { MasterToken } from '@vestibule/crypto';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import type { FederationRecords } from '@vestibule/database';
import type { DraftProfileUse } from '@vestibule/federation';
import type { FederationRegistrationDeps } from '@vestibule/federation/clients';
import { DomainError, type Issuer } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { FederationRegistrationMetrics, OwnTrustMark } from '@vestibule/service/federation';

/** Dependencies of the federation endpoints: ports and settings. */
export interface FederationServiceDeps {
  readonly issuer: Issuer;
  readonly masterToken: MasterToken;
  /** Absent if federation is not enabled. */
  readonly federation?: Federation;
  /** Whether the API document has a page. Default: no. */
  readonly hasApiPage?: boolean;
}

/** The provider as a member of federations, with the dependencies of registering relying parties. */
export interface Federation extends FederationRegistrationDeps {
  readonly provider: OwnEntity;
  /** Counts registrations by outcome. */
  readonly metrics: Pick<FederationRegistrationMetrics, 'registration'>;
  /** Which registration requests of the draft profile are accepted. */
  readonly draftProfile: DraftProfileUse;
  /** Maximum lifetime of a registration in seconds; 0 for the lifetime of the trust chain. */
  readonly clientLifetimeSeconds: number;
}

/** The provider as an entity, with the contents of its statements. */
export interface OwnEntity {
  readonly self: FederationRegistrationDeps['self'];
  /** Our federation keys, which sign nothing else. */
  readonly keys: Pick<KeyRing, 'signingKey' | 'publicJwks'>;
  /** Our retired federation keys, which are no longer published. */
  readonly historicalKeys: FederationRecords['historicalKeys'];
  /** The keys of the provider, for publication. */
  readonly providerKeys: Pick<KeyRing, 'publicJwks'>;
  /** The discovery document of the authorization server; rejects if it is unavailable. */
  readonly providerMetadata: FederationRegistrationDeps['providerMetadata'];
  readonly authorityHints: readonly string[];
  readonly trustMarks: readonly OwnTrustMark[];
  /** The configured information about the provider, members of `federation_entity` metadata. */
  readonly information: JsonObject;
  readonly statementLifetimeSeconds: number;
  /** How long the keys of the provider may be cached, in seconds. */
  readonly providerKeysMaxAgeSeconds: number;
}

/**
 * Requires federation to be enabled.
 * @throws DomainError `federation_not_enabled` otherwise
 */
export function enabled(federation: Federation | undefined): Federation {
  if (federation !== undefined) return federation;
  throw new DomainError('federation_not_enabled', 'OpenID Federation is not enabled.');
}
