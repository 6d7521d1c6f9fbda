import type { Digest } from '@vestibule/crypto';
import type { ClientMetadata } from '@vestibule/metadata';
import type { ClientId, EpochSeconds, JsonObject } from '@vestibule/protocol';
import type { RegistrationRights } from '@vestibule/scopes';

/** How a client came to be; `open_registration` is one without any credential. */
export type ClientOrigin =
  | 'registration'
  | 'open_registration'
  | 'import'
  | 'federation_explicit'
  | 'federation_automatic';

/**
 * A pending client waits for approval, and an operator has disabled a suspended one. Neither may do anything, and
 * tokens that they have do not count until they are active.
 */
export type ClientStatus = 'active' | 'pending' | 'suspended';

/** With which credential a client was registered; `master_token` stands for operators at the command line too. */
export type ClientRegistrar = 'master_token' | 'initial_access_token';

/** A client as it is registered. */
export interface Client {
  readonly id: ClientId;
  readonly metadata: ClientMetadata;
  /** Custom data: set by the operator, or by a registrant with the right to it. */
  readonly data?: JsonObject;
  /**
   * The rights under which it was registered, as updates with the master token have left them; its own updates are
   * checked against them.
   */
  readonly rights: RegistrationRights;
  readonly origin: ClientOrigin;
  /** Absent where no credential was needed, and for clients of earlier versions. */
  readonly registrar?: ClientRegistrar;
  readonly status: ClientStatus;
  /** Absent for clients that need none. */
  readonly secret?: ClientSecret;
  /** In the place of a secret that another server kept as a hash and that has not been used here yet. */
  readonly secretHash?: ClientSecretHash;
  /** Absent for federated clients. */
  readonly registrationToken?: RegistrationToken;
  readonly issuedAt: EpochSeconds;
  readonly updatedAt: EpochSeconds;
  readonly lastUsedAt?: EpochSeconds;
  /** When the registration ends by itself; an expired client is unknown. */
  readonly expiresAt?: EpochSeconds;
  /** Grows by one with each change; the base of the entity tag. */
  readonly version: number;
  readonly federation?: FederationMembership;
}

/** A client secret in its two stored forms: Basic authentication needs only the digest. */
export interface ClientSecret {
  readonly digest: Digest;
  /** Encrypted for (`client`, `secret_sealed`, client id). */
  readonly encrypted: string;
  /** Absent when it does not expire. */
  readonly expiresAt?: EpochSeconds;
}

/** The hash of a secret that was imported. It becomes a {@link ClientSecret} when the secret is first used. */
export interface ClientSecretHash {
  /** The hash as the other server wrote it, encrypted for (`client`, `secret_hash_sealed`, client id). */
  readonly encrypted: string;
  /** When the secret expires, used or not. Absent when it does not. */
  readonly expiresAt?: EpochSeconds;
}

/** A registration access token in its two stored forms. */
export interface RegistrationToken {
  readonly digest: Digest;
  /** Encrypted for (`client`, `registration_token_sealed`, client id). */
  readonly encrypted: string;
  /** The token before this one; it works until this one is first used, and no longer than its expiry. */
  readonly previous?: { readonly digest: Digest; readonly expiresAt: EpochSeconds };
}

/** Where a federated client stands. */
export interface FederationMembership {
  readonly entityId: string;
  readonly trustAnchor: string;
  readonly superior: string;
  /** The subject first, the anchor last; absent in registrations of earlier versions. */
  readonly chainEntities?: readonly string[];
  readonly chainExpiresAt: EpochSeconds;
  /** When the entity issued the statement that it is registered by: an older one registers it no more. */
  readonly statementIssuedAt: EpochSeconds;
  /**
   * Whether the entity itself asked this provider: by a statement with `aud`, or by a request signed with its keys.
   * Otherwise anyone may have posted what it publishes.
   */
  readonly isAddressed: boolean;
}

/** A secret that was replaced: kept for ID token hints made under it, and authenticating only within an overlap. */
export interface EarlierClientSecret {
  readonly digest: Digest;
  /** Encrypted for (`earlier_client_secret`, `encrypted`, client id). */
  readonly encrypted: string;
  readonly authenticatesUntil?: EpochSeconds;
  readonly keptUntil: EpochSeconds;
}
