import type { RegistrationDeps } from '@vestibule/clients/registration';
import type { Clock } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { RegistrationRights } from '@vestibule/scopes';
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

/** What operators decided about federations. */
export interface OperatorControls {
  readonly denied: DeniedEntities;
  /** Another object after each purge, which remembers nothing from before. */
  readonly statements: SharedStatements;
}

/** What registering the members of federations takes, however they ask for it. */
export interface FederationRegistrationDeps {
  readonly clock: Clock;
  /** Our own entity identifier, which is also the issuer. */
  readonly self: EntityId;
  /** The trust anchors, as they are configured now. */
  readonly anchors: () => Promise<TrustAnchors>;
  readonly maxPathLength: number;
  readonly requiredMarks: RequiredTrustMarks;
  /** Path lengths and trust marks of single anchors, in place of those above. */
  readonly byAnchor: ConditionsByAnchor;
  /** Hosts whose entities may be named with http: for development and tests alone. */
  readonly allowHosts: readonly string[];
  /** What clients that register under an anchor may register. */
  readonly rights: (anchor: EntityId) => RegistrationRights;
  readonly limits: DiscoveryLimits;
  /** What operators decided, and the statements that are shared until the next purge; read anew for each resolution. */
  readonly controls: () => Promise<OperatorControls>;
  readonly registration: RegistrationDeps;
  /** The metadata of the provider as our entity configuration publishes it; rejects when it cannot be had. */
  readonly providerMetadata: () => Promise<JsonObject>;
  /** Counts a registration that is tried from a network. @throws ThrottledError */
  readonly admit: (network: string) => Promise<void>;
}
