import type { AudienceNames } from '@vestibule/clients/resource-servers';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';

/** A token with the digest under which it is stored. */
export interface StoredAccessToken {
  readonly digest: Digest;
  readonly token: AccessToken;
}

/**
 * Stores identifier-based access tokens. A token whose client is pending approval is not found. If the client of a
 * token expires, `clientExpiresAt` says when.
 */
export interface AccessTokenStore {
  /** Adds a token. False, without a change, when its client does not exist, or its session is known to have ended. */
  insert(digest: Digest, token: AccessToken): Promise<boolean>;
  /** Finds the token with any of the digests, expired or not. */
  find(digests: readonly Digest[]): Promise<AccessToken | undefined>;
  /** Finds the tokens with any of the digests, in any order. */
  findMany(digests: readonly Digest[]): Promise<readonly StoredAccessToken[]>;
  /**
   * Deletes the token if it is valid at `now` for the caller: within its own times and those of its client, and with a
   * name of the caller in its audience if it has one. Returns the token for exactly one of any number of parallel
   * calls, `undefined` for the rest.
   */
  claim(
    digests: readonly Digest[],
    caller: AudienceNames,
    now: EpochSeconds,
  ): Promise<AccessToken | undefined>;
}
