import type { AudienceNames } from '@vestibule/clients';
import type { Digest } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';

/** A token with the digest that it is kept under. */
export interface StoredAccessToken {
  readonly digest: Digest;
  readonly token: AccessToken;
}

/**
 * Where identifier-based access tokens are kept. A token whose client waits for approval is as if it were not there;
 * one whose client expires says so in `clientExpiresAt`.
 */
export interface AccessTokenStore {
  /** Adds a token. False, and no change, when its client does not exist. */
  insert(digest: Digest, token: AccessToken): Promise<boolean>;
  /** The token that has any of the digests, whether or not it is alive. */
  find(candidates: readonly Digest[]): Promise<AccessToken | undefined>;
  /** The tokens that have any of the digests, in any order. */
  findMany(digests: readonly Digest[]): Promise<readonly StoredAccessToken[]>;
  /**
   * Deletes the token when it is alive at `now` and for the caller: within its times and those of its client, and with
   * a name of the caller in its audience if it has one. The token for exactly one of any number of parallel calls, `undefined`
   * for all others.
   */
  claim(
    candidates: readonly Digest[],
    caller: AudienceNames,
    now: EpochSeconds,
  ): Promise<AccessToken | undefined>;
}
