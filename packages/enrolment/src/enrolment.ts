import type { RegistrationDeps } from '@vestibule/clients';
import type {
  ConditionsByAnchor,
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

/** What registering the members of federations takes, however they ask for it. */
export interface Enrolment {
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
  readonly fetchers: Readonly<Record<Dialect, StatementFetcher>>;
  readonly cache?: StatementCache;
  readonly registration: RegistrationDeps;
  /** The metadata of the provider as our entity configuration publishes it; rejects when it cannot be had. */
  readonly providerMetadata: () => Promise<JsonObject>;
  /** Counts a registration that is tried from a network. @throws ThrottledError */
  readonly admit: (network: string) => Promise<void>;
}
