import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { DeniedEntities } from '../chains/denied-entities.js';
import type { StatementReader } from '../chains/statement-reader.js';
import type { EntityId } from '../entity-id.js';
import type { VerifiedConfiguration } from '../statements/entity-statement.js';

/** An issuer of trust marks with a chain to the same anchor. */
export interface TrustMarkIssuer {
  readonly keys: PublicJwkSet;
  /**
   * Its configuration.
   * @throws FederationFailure if it is unavailable, or not signed with its keys
   */
  readonly configuration: () => Promise<VerifiedConfiguration>;
}

/** Finds the issuers of trust marks, and requests statuses from their endpoints. */
export interface TrustMarkIssuers {
  /**
   * `undefined` if the entity has no chain to the same anchor.
   * @throws FederationFailure for lack of capacity.
   */
  find(issuer: EntityId): Promise<TrustMarkIssuer | undefined>;
  /** As {@link StatementReader.markStatus}. */
  fetchStatus: StatementReader['markStatus'];
}

/** Dependencies of checking the trust marks of one entity. */
export interface TrustMarkContext {
  readonly subject: EntityId;
  /** Determines the permitted issuers and the owners. */
  readonly anchor: VerifiedConfiguration;
  readonly issuers: TrustMarkIssuers;
  readonly now: EpochSeconds;
  readonly denied?: DeniedEntities;
  readonly allowHosts: readonly string[];
}
