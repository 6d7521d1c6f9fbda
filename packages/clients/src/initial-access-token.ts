import type { Digest } from '@vestibule/crypto';
import type { EpochSeconds, JsonObject } from '@vestibule/protocol';
import type { Scope } from '@vestibule/scopes';

/** The right to register a number of clients (RFC 7591 section 1.2, registration/API.md#tokens). */
export interface InitialAccessToken {
  readonly digest: Digest;
  /** Its client-reg values. */
  readonly scope: Scope;
  /** Whom it is for: our issuer or the registration endpoint, or nobody in particular. */
  readonly audience: readonly string[];
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly usesLeft: number;
  readonly label?: string;
  /** Metadata that every registration with it starts from. */
  readonly metadataTemplate?: JsonObject;
  readonly confirmation?: JsonObject;
}

/** Where initial access tokens are kept; they are spent by `ClientRepository.create`. */
export interface InitialAccessTokenStore {
  /** The token that has any of the digests, whether or not it is still usable. */
  find(candidates: readonly Digest[]): Promise<InitialAccessToken | undefined>;
  insert(token: InitialAccessToken): Promise<void>;
  /** Deletes it. False when there is none. */
  delete(candidates: readonly Digest[]): Promise<boolean>;
}
