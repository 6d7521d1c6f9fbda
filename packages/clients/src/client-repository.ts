import type { Digest } from '@vestibule/crypto';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { AuditActor, ClientAction } from './audit-actor.js';
import type { Client, ClientOrigin, EarlierClientSecret } from './client.js';
import type { ClientPage, ClientSelection } from './client-selection.js';
import type { IdempotencyRecord } from './idempotency-record.js';

/** The initial access token that is consumed by a registration: one use is consumed in the creating statement. */
export interface TokenConsumption {
  readonly candidates: readonly Digest[];
  readonly now: EpochSeconds;
}

/** The cap on open registrations that were never used. */
export interface UnusedClientCap {
  /** The most of all of them together. */
  readonly most: number;
  /**
   * Digests of the network that registers, the first of which is stored. A network may have one more while it holds
   * fewer than there is room left for all.
   */
  readonly network: readonly [Digest, ...Digest[]];
}

/** On what terms a client is created besides. */
export interface CreationTerms {
  /** Who registers it; a token that is consumed takes precedence. Default `service`. */
  readonly actor?: AuditActor;
  /** Refuses a registration beyond it. Default none. */
  readonly unusedClientCap?: UnusedClientCap;
  /** What to remember of the response; any digest that is there already counts as an identifier that is taken. */
  readonly remembered?: readonly IdempotencyRecord[];
}

/** Whether a client was created; when it was not, nothing was spent and nothing changed. */
export type CreateOutcome = 'created' | 'token_not_usable' | 'id_taken' | 'no_room';

/** A changed client, and what the change leaves behind. */
export interface ClientReplacement {
  /** The new state; its `version` is the current one plus one. */
  readonly client: Client;
  /** The secret that the change replaced. */
  readonly earlierSecret?: EarlierClientSecret;
  /** Who makes the change. Default `service`. */
  readonly actor?: AuditActor;
  /** What the change is. Default `client.updated`. */
  readonly action?: ClientAction;
}

/** Who deletes a client and why: by default the `service`, and `client.deleted`. */
export interface ClientDeletion {
  readonly actor?: AuditActor;
  readonly action?: ClientAction;
  /** The only version that is deleted; any when absent. */
  readonly ifVersion?: number;
}

/** One batch of clients that nobody uses. */
export interface UnusedClients {
  /** Clients that were neither issued nor used at or after this instant. */
  readonly unusedSince: EpochSeconds;
  readonly origins: readonly ClientOrigin[];
  /** The present: what is alive then protects its client. */
  readonly now: EpochSeconds;
  /** Where the batch before ended. */
  readonly after?: ClientId;
  /** The most clients of a batch. */
  readonly limit: number;
}

/** A client that nobody uses. */
export interface UnusedClient {
  readonly id: ClientId;
  readonly issuedAt: EpochSeconds;
  readonly lastUsedAt?: EpochSeconds;
}

/** Where clients are kept. Every change is one atomic statement, which also records who changed what. */
export interface ClientRepository {
  /** The client, expired ones included; `undefined` when there is none. */
  find(id: ClientId): Promise<Client | undefined>;

  /**
   * The client whose registration access token, or the one before that, has one of the digests, expired ones included;
   * `undefined` when there is no such client and when it has other tokens, which takes the same time.
   */
  findByRegistrationToken(id: ClientId, candidates: readonly Digest[]): Promise<Client | undefined>;

  /** The client of a federation entity, expired ones included; `undefined` when there is none. */
  findByEntity(entityId: string): Promise<Client | undefined>;

  /** The client that a resource identifier names, expired ones included; `undefined` when there is none. */
  findByResourceIdentifier(identifier: string): Promise<Client | undefined>;

  /**
   * Adds a client and, in the same statement, consumes one use of an initial access token.
   * An entity of a federation has one client: another one counts as an identifier that is taken, and so does an
   * identifier that is a resource identifier of another client.
   * Of any number of parallel calls with a one-time token exactly one creates; a cap is kept however many there are.
   * @throws DomainError `invalid_client_metadata` when a resource identifier names another client
   */
  create(client: Client, consuming?: TokenConsumption, terms?: CreationTerms): Promise<CreateOutcome>;

  /**
   * Whether a cap leaves room for one more client of the network now, as {@link create} judges it. Waits for the
   * creations under a cap that are going on.
   */
  hasRoom(cap: UnusedClientCap): Promise<boolean>;

  /**
   * Replaces a client when it still has the version before the new one, and when a registration token that is to work
   * beside the new one has not been forgotten in the meantime. False, and no change, otherwise. An open registration
   * that was used in the meantime stays permanent.
   * @throws DomainError `invalid_client_metadata` when a resource identifier names another client
   */
  replace(replacement: ClientReplacement): Promise<boolean>;

  /**
   * Forgets the previous registration token, because its successor was used. False, and no change, when there is none,
   * or when that successor is not the present one any more.
   */
  forgetPreviousRegistrationToken(id: ClientId, current: Digest): Promise<boolean>;

  /**
   * Deletes a client with its access tokens, refresh tokens, authorisations and session places, and revokes every
   * self-contained token issued to it up to `now`, all in one statement. False, and no change, when there is
   * none, or only one of another version than the one that it names.
   */
  delete(id: ClientId, now: EpochSeconds, deletion?: ClientDeletion): Promise<boolean>;

  /**
   * Notes that clients are used at `now`, unless it was noted within the last `intervalSeconds`. The first use of an
   * open registration makes it permanent, which is recorded as `client.kept`. No new version; clients that have ended
   * stay so. Idempotent.
   */
  markUsed(ids: readonly ClientId[], now: EpochSeconds, intervalSeconds: number): Promise<void>;

  /**
   * Clients that nobody uses, in the order of their identifiers. A live access or refresh token that is stored protects
   * its client, and so does a live authorisation.
   */
  findUnused(batch: UnusedClients): Promise<readonly UnusedClient[]>;

  /**
   * Deletes a batch of those clients as `delete` does, passing over those that someone holds; gives what it deleted.
   */
  deleteUnused(batch: UnusedClients, actor: AuditActor): Promise<readonly UnusedClient[]>;

  /** Selected clients in the order of issue, in pages that are read as they are consumed: constant memory. */
  list(selection?: ClientSelection): AsyncIterable<readonly Client[]>;

  /** The first so many of the selected clients in the order of issue. */
  page(selection: ClientSelection, limit: number): Promise<ClientPage>;

  /** The earlier secrets of a client that are kept at `now`, newest first; 50 of them at most. */
  earlierSecrets(id: ClientId, now: EpochSeconds): Promise<readonly EarlierClientSecret[]>;
}
