import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds, JsonObject } from '@vestibule/protocol';
import type { Scope } from '@vestibule/scopes';

/** The right to register a number of clients (RFC 7591 section 1.2, registration/API.md#tokens). */
export interface InitialAccessToken {
  readonly digest: Digest;
  /** Its `client-reg` scope values. */
  readonly scope: Scope;
  /** Our issuer or the registration endpoint; empty if the token names no audience. */
  readonly audience: readonly string[];
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly usesLeft: number;
  readonly label?: string;
  /** Metadata that every registration with this token starts from. */
  readonly metadataTemplate?: JsonObject;
  readonly confirmation?: JsonObject;
}

/** Store of initial access tokens. `ClientRepository.create` consumes them. */
export interface InitialAccessTokenStore {
  /** Finds the token with one of the digests, usable or not. */
  find(candidates: readonly Digest[]): Promise<InitialAccessToken | undefined>;
  insert(token: InitialAccessToken): Promise<void>;
  /** Deletes a token. Returns false if there is none. */
  delete(candidates: readonly Digest[]): Promise<boolean>;
}
