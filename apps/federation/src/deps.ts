import type { MasterToken, RegistrationDeps } from '@vestibule/clients';
import type { KeyRing } from '@vestibule/crypto';
import type {
  Dialect,
  DiscoveryLimits,
  EntityId,
  RequiredTrustMarks,
  StatementCache,
  StatementFetcher,
  TrustAnchors,
} from '@vestibule/federation';
import type { Clock, JsonObject } from '@vestibule/protocol';
import type { RegistrationRights } from '@vestibule/scopes';
import type { OwnTrustMark } from './federation-settings.js';

/** What the federation endpoints work with: ports and settings, nothing else. */
export interface FederationServiceDeps {
  readonly masterToken: MasterToken;
  /** Absent where federation is not enabled. */
  readonly federation?: Federation;
}

/** Our place in federations, and what registering their members takes. */
export interface Federation {
  readonly clock: Clock;
  readonly provider: OwnEntity;
  readonly anchors: TrustAnchors;
  readonly maxPathLength: number;
  readonly requiredMarks: RequiredTrustMarks;
  /** Hosts whose entities may be named with http: for development and tests alone. */
  readonly allowHosts: readonly string[];
  /** What federated clients may register. */
  readonly rights: RegistrationRights;
  /** The longest life of a registration in seconds; 0 for as long as the chain. */
  readonly clientLifetimeSeconds: number;
  readonly limits: DiscoveryLimits;
  readonly fetchers: Readonly<Record<Dialect, StatementFetcher>>;
  readonly cache?: StatementCache;
  readonly registration: RegistrationDeps;
  /** Counts a registration that is tried from a network. @throws ThrottledError */
  readonly admit: (network: string) => Promise<void>;
}

/** What we are and say of ourselves as an entity. */
export interface OwnEntity {
  readonly self: EntityId;
  /** Our federation keys, which sign nothing else. */
  readonly keys: Pick<KeyRing, 'signingKey' | 'publicJwks'>;
  /** The keys of the provider, for publication. */
  readonly providerKeys: Pick<KeyRing, 'publicJwks'>;
  /** The discovery document of the authorisation server; rejects when it cannot be had. */
  readonly providerMetadata: () => Promise<JsonObject>;
  readonly authorityHints: readonly string[];
  readonly trustMarks: readonly OwnTrustMark[];
  readonly organizationName: string | undefined;
  readonly statementLifetimeSeconds: number;
}
