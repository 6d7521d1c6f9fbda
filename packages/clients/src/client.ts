import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientMetadata } from '@vestibule/metadata';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { GrantedScopes } from '@vestibule/scopes';
import type { ClientOwnership } from './client-owner.js';

/** How clients can be created. */
export const CLIENT_ORIGINS = [
  'registration',
  'open_registration',
  'import',
  'federation_explicit',
  'federation_automatic',
  'metadata_document',
] as const;

/**
 * How a client was created; `open_registration` means without a credential, `metadata_document` by the client ID metadata
 * document at its identifier.
 */
export type ClientOrigin = (typeof CLIENT_ORIGINS)[number];

/** What clients can be. */
export const CLIENT_STATUSES = ['active', 'pending', 'suspended'] as const;

/**
 * A pending client waits for approval; a suspended one was disabled by an operator. Neither can do anything, and their
 * tokens are inactive until they are active.
 */
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** The credential that a client was registered with; `master_token` includes operators at the command line. */
export type ClientRegistrar = 'master_token' | 'initial_access_token';

/** A registered client. */
export interface Client {
  readonly id: ClientId;
  readonly metadata: ClientMetadata;
  /** Custom data, set by the operator or by a registrant with the right to it. */
  readonly data?: JsonObject;
  /**
   * The granted scopes under which the client was registered, as changed by updates with the master token. Its own
   * updates are checked against them.
   */
  readonly grantedScopes: GrantedScopes;
  readonly origin: ClientOrigin;
  /** Absent if no credential was needed, and for clients of earlier versions. */
  readonly registrar?: ClientRegistrar;
  readonly status: ClientStatus;
  /** Absent for clients that need none. */
  readonly secret?: ClientSecret;
  /** Instead of a secret, if another server stored only its hash and the secret has not been used here yet. */
  readonly secretHash?: ClientSecretHash;
  /** Absent for federated clients. */
  readonly registrationToken?: RegistrationToken;
  readonly issuedAt: EpochSeconds;
  readonly updatedAt: EpochSeconds;
  readonly lastUsedAt?: EpochSeconds;
  /** When the registration ends; an expired client is unknown. */
  readonly expiresAt?: EpochSeconds;
  /** Incremented by each change; the basis of the entity tag. */
  readonly version: number;
  readonly federation?: FederationMembership;
  /** Present if a set of files owns the client. */
  readonly ownership?: ClientOwnership;
}

/** A client secret in its two stored forms. Basic authentication needs only the digest. */
export interface ClientSecret {
  readonly digest: Digest;
  /** Encrypted for (`client`, `secret_sealed`, client id). */
  readonly encrypted: string;
  /** Absent when it does not expire. */
  readonly expiresAt?: EpochSeconds;
}

/** Hash of an imported secret. It becomes a {@link ClientSecret} when the secret is first used. */
export interface ClientSecretHash {
  /** The hash as the other server wrote it, encrypted for (`client`, `secret_hash_sealed`, client id). */
  readonly encrypted: string;
  /** When the secret expires, used or not; absent if it does not. */
  readonly expiresAt?: EpochSeconds;
}

/** A registration access token in its two stored forms. */
export interface RegistrationToken {
  readonly digest: Digest;
  /** Encrypted for (`client`, `registration_token_sealed`, client id). */
  readonly encrypted: string;
  /** The previous token. It works until the current one is first used, and no longer than its expiry. */
  readonly previous?: { readonly digest: Digest; readonly expiresAt: EpochSeconds };
}

/** Federation state of a client. */
export interface FederationMembership {
  readonly entityId: string;
  readonly trustAnchor: string;
  readonly superior: string;
  /** Entities of the trust chain from the subject to the anchor; absent in registrations of earlier versions. */
  readonly chainEntities?: readonly string[];
  readonly chainExpiresAt: EpochSeconds;
  /** `iat` of the statement that registered the entity. An older statement cannot register it again. */
  readonly statementIssuedAt: EpochSeconds;
  /**
   * Whether the entity itself addressed this provider: by a statement with `aud`, or by a request signed with its keys.
   * Otherwise anyone may have posted its published statement.
   */
  readonly isAddressed: boolean;
}

/** A replaced secret: kept for ID token hints made under it, and valid for authentication only within an overlap. */
export interface PreviousClientSecret {
  readonly digest: Digest;
  /** Encrypted for (`earlier_client_secret`, `sealed`, client id). */
  readonly encrypted: string;
  readonly authenticatesUntil?: EpochSeconds;
  readonly keptUntil: EpochSeconds;
}
