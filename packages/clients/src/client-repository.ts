import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { AuditActor, ClientAction } from './audit-actor.js';
import type { Client, ClientOrigin, PreviousClientSecret } from './client.js';
import type { ClientPage, ClientSelection } from './management/client-selection.js';
import type { IdempotencyRecord } from './registration/idempotency-record.js';

/** The initial access token of a registration. One use is consumed in the statement that creates the client. */
export interface TokenConsumption {
  readonly digests: readonly Digest[];
  readonly now: EpochSeconds;
}

/** The cap on unused open registrations, or on unused client ID metadata documents. */
export interface UnusedClientCap {
  /** Maximum in total. */
  readonly most: number;
  /**
   * Digests of the registering network, the first of which is stored. A network may add a client while it holds fewer
   * than the cap leaves room for in total.
   */
  readonly network: readonly [Digest, ...Digest[]];
}

/** Conditions and records of a creation: it consumes a token, or is subject to a cap, or neither. */
export type CreationTerms = CreationRecords &
  (
    | { readonly consuming: TokenConsumption; readonly unusedClientCap?: never }
    | { readonly consuming?: never; readonly unusedClientCap?: UnusedClientCap }
  );

/** Records of a creation. */
interface CreationRecords {
  /** Audit actor. A consumed token takes precedence. Default: `service`. */
  readonly actor?: AuditActor;
  /**
   * Digest under which identical registrations find the client. If another client has it already, the result is that of
   * a taken identifier. Forgotten when the metadata or `data` of the client change, or when it is suspended.
   */
  readonly sharedDigest?: Uint8Array;
  /** Idempotency records to store. If one of the digests exists already, the result is that of a taken identifier. */
  readonly idempotencyRecords?: readonly IdempotencyRecord[];
}

/** Whether a client was created. Otherwise nothing was consumed and nothing changed. */
export type CreateOutcome = 'created' | 'token_not_usable' | 'id_taken' | 'no_room';

/** A changed client, and what the change adds to the store. */
export interface ClientReplacement {
  /** The new state. Its `version` is the current one plus one. */
  readonly client: Client;
  /** The secret that the change replaced. */
  readonly previousSecret?: PreviousClientSecret;
  /** Audit actor. Default: `service`. */
  readonly actor?: AuditActor;
  /** Audit action. Default: `client.updated`. */
  readonly action?: ClientAction;
}

/** Audit actor and action of a deletion. Defaults: `service` and `client.deleted`. */
export interface ClientDeletion {
  readonly actor?: AuditActor;
  readonly action?: ClientAction;
  /** Delete only this version; any if absent. */
  readonly ifVersion?: number;
}

/** One batch of unused clients. */
export interface UnusedClients {
  /** Select clients that were neither issued nor used at or after this time. */
  readonly unusedSince: EpochSeconds;
  readonly origins: readonly ClientOrigin[];
  /** The current time. Tokens and authorizations that are live now protect their client. */
  readonly now: EpochSeconds;
  /** The last client of the previous batch. */
  readonly after?: ClientId;
  /** Maximum number of clients in a batch. */
  readonly limit: number;
}

/** An unused client. */
export interface UnusedClient {
  readonly id: ClientId;
  readonly issuedAt: EpochSeconds;
  readonly lastUsedAt?: EpochSeconds;
}

/** A later end of a client that was never used. */
export interface Extension {
  readonly now: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** Store of clients. Every change is one atomic statement, which also writes the audit record. */
export interface ClientRepository {
  /** Finds a client, even an expired one. */
  find(id: ClientId): Promise<Client | undefined>;

  /**
   * Finds a client by a digest of its current or previous registration access token, even an expired one. Takes the
   * same time whether there is no such client or it has other tokens.
   */
  findByRegistrationToken(id: ClientId, digests: readonly Digest[]): Promise<Client | undefined>;

  /** Finds the client of a federation entity, even an expired one. */
  findByEntity(entityId: string): Promise<Client | undefined>;

  /** Finds the client with a resource identifier, even an expired one. */
  findByResourceIdentifier(identifier: string): Promise<Client | undefined>;

  /**
   * Adds a client and, in the same statement, consumes one use of an initial access token. A federation entity has one
   * client: a second one counts as a taken identifier, and so does an identifier that is another client's resource
   * identifier. Of parallel calls with a one-time token exactly one succeeds, and parallel calls do not exceed a cap.
   * @throws DomainError `invalid_client_metadata` when an operator has blocked the client, or a resource identifier names
   *   another client
   */
  create(client: Client, terms?: CreationTerms): Promise<CreateOutcome>;

  /** Finds the client that identical registrations share, even an expired one. */
  findShared(digest: Uint8Array): Promise<Client | undefined>;

  /**
   * Lets a client that ends unless it is used end later. Returns false and changes nothing if it has ended, was used or
   * does not end. Not audited, since nothing registered changes, and the version stays.
   */
  extendUnused(id: ClientId, extension: Extension): Promise<boolean>;

  /**
   * Whether a cap leaves room for another client of the network now, as {@link create} would decide. Waits for
   * creations under a cap that are in progress.
   */
  hasRoom(cap: UnusedClientCap): Promise<boolean>;

  /** Whether an operator has blocked such a client, so that {@link create} and {@link replace} would refuse it. */
  isBlocked(client: Pick<Client, 'metadata' | 'federation'> & { readonly id?: ClientId }): Promise<boolean>;

  /**
   * Replaces a client if it still has the preceding version, and if the previous registration token that the new state
   * keeps is still stored. Otherwise returns false and changes nothing. An open registration that was used in the
   * meantime stays permanent.
   * @throws DomainError `invalid_client_metadata` when an operator has blocked a client with the new metadata, or a
   *   resource identifier names another client
   */
  replace(replacement: ClientReplacement): Promise<boolean>;

  /**
   * Removes the previous registration token, because its successor was used. Returns false and changes nothing if there
   * is none, or if that successor is no longer the current token.
   */
  forgetPreviousRegistrationToken(id: ClientId, current: Digest): Promise<boolean>;

  /**
   * Deletes a client with its access tokens, refresh tokens, authorizations and session entries, and revokes every
   * self-contained token issued to it up to `now`, in one statement. Returns false and changes nothing if there is no
   * such client, or not in the requested version.
   */
  delete(id: ClientId, now: EpochSeconds, deletion?: ClientDeletion): Promise<boolean>;

  /**
   * Records that clients are used at `now`, unless a use was recorded within the last `intervalSeconds`. The first use
   * of an open registration makes it permanent, which is audited as `client.kept`. Does not change the version; expired
   * clients stay expired. Idempotent.
   */
  markUsed(ids: readonly ClientId[], now: EpochSeconds, intervalSeconds: number): Promise<void>;

  /**
   * Finds unused clients in the order of their identifiers. A live stored access or refresh token, or a live
   * authorization, protects its client.
   */
  findUnused(batch: UnusedClients): Promise<readonly UnusedClient[]>;

  /** Deletes a batch of unused clients as `delete` does, skipping locked ones. Returns the deleted clients. */
  deleteUnused(batch: UnusedClients, actor: AuditActor): Promise<readonly UnusedClient[]>;

  /** Lists selected clients in the order of the selection, in pages that are read as they are consumed, in constant memory. */
  list(selection?: ClientSelection): AsyncIterable<readonly Client[]>;

  /** Returns the first `limit` selected clients in the order of the selection. */
  page(selection: ClientSelection, limit: number): Promise<ClientPage>;

  /** Returns the previous secrets of a client that are kept at `now`, newest first, at most 50. */
  previousSecrets(id: ClientId, now: EpochSeconds): Promise<readonly PreviousClientSecret[]>;
}
