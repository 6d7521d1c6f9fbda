import type { RegistrationDeps } from '@vestibule/clients/registration';
import type { Clock } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { GrantedScopes } from '@vestibule/scopes';
import type { ConditionsByAnchor } from '../chains/anchor-conditions.js';
import type { DeniedEntities } from '../chains/denied-entities.js';
import type {
  DiscoveryLimits,
  DocumentFetchers,
  StatementCache,
  StatementFetcher,
} from '../chains/discovery-ports.js';
import type { TrustAnchors } from '../chains/trust-anchors.js';
import type { EntityId } from '../entity-id.js';
import type { Profile } from '../profile.js';
import type { RequiredTrustMarks } from '../trust-marks/required-trust-marks.js';

/** Fetched statements that the resolutions of a process share. */
export interface SharedStatements {
  readonly fetchers: Readonly<Record<Profile, StatementFetcher>>;
  readonly documents: DocumentFetchers;
  readonly cache?: StatementCache;
}

/** The settings of operators for federations. */
export interface OperatorControls {
  readonly denied: DeniedEntities;
  /** Replaced after each purge by an empty one. */
  readonly statements: SharedStatements;
}

/** Dependencies of registering the members of federations, explicitly or automatically. */
export interface FederationRegistrationDeps {
  readonly clock: Clock;
  /** Our own entity identifier, which is also the issuer. */
  readonly self: EntityId;
  /** The currently configured trust anchors. */
  readonly anchors: () => Promise<TrustAnchors>;
  readonly maxPathLength: number;
  readonly requiredMarks: RequiredTrustMarks;
  /** Path lengths and trust marks of single anchors, which replace those above. */
  readonly byAnchor: ConditionsByAnchor;
  /** Hosts whose entity identifiers may use http, only for development and tests. */
  readonly allowHosts: readonly string[];
  /** The granted scopes of clients that register under an anchor. */
  readonly grantedScopes: (anchor: EntityId) => GrantedScopes;
  readonly limits: DiscoveryLimits;
  /** The settings of operators, and the statements that are shared until the next purge; read for each resolution. */
  readonly controls: () => Promise<OperatorControls>;
  readonly registration: RegistrationDeps;
  /** The metadata of the provider as published in the entity configuration of the provider; rejects if they are unavailable. */
  readonly providerMetadata: () => Promise<JsonObject>;
  /**
   * Counts an attempted registration of a network.
   * @throws ThrottledError
   */
  readonly admit: (network: string) => Promise<void>;
}
