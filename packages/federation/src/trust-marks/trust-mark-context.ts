import type { PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { DeniedEntities } from '../chains/denied-entities.js';
import type { StatementReader } from '../chains/statement-reader.js';
import type { EntityId } from '../entity-id.js';
import type { VerifiedConfiguration } from '../statements/entity-statement.js';

/** An issuer of trust marks to whom a chain to the same anchor leads. */
export interface TrustMarkIssuer {
  readonly keys: PublicJwkSet;
  /** What it says of itself. @throws FederationFailure when that cannot be had, or is not signed with its keys. */
  readonly configuration: () => Promise<VerifiedConfiguration>;
}

/** Finds the issuers of trust marks, and asks their status endpoints. */
export interface TrustMarkIssuers {
  /**
   * `undefined` when no chain to the same anchor leads to the entity.
   * @throws FederationFailure for want of capacity.
   */
  find(issuer: EntityId): Promise<TrustMarkIssuer | undefined>;
  /** As {@link StatementReader.markStatus}. */
  askStatus: StatementReader['markStatus'];
}

/** What judging the trust marks of one entity takes. */
export interface TrustMarkContext {
  readonly subject: EntityId;
  /** Says who may issue what, and who owns it. */
  readonly anchor: VerifiedConfiguration;
  readonly issuers: TrustMarkIssuers;
  readonly now: EpochSeconds;
  readonly denied?: DeniedEntities;
  readonly allowHosts: readonly string[];
}
