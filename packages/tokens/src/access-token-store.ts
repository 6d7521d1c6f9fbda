import type { Digest } from '@vestibule/crypto';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';

/** Where identifier-based access tokens are kept. */
export interface AccessTokenStore {
  /** Adds a token. False, and no change, when its client does not exist. */
  insert(digest: Digest, token: AccessToken): Promise<boolean>;
  /** The token that has any of the digests, whether or not it is alive. */
  find(candidates: readonly Digest[]): Promise<AccessToken | undefined>;
  /**
   * Deletes the token when it is alive at `now` and for the caller: within its times, and with the caller in its
   * audience if it has one. The token for exactly one of any number of parallel calls, `undefined` for all others.
   */
  claim(candidates: readonly Digest[], caller: ClientId, now: EpochSeconds): Promise<AccessToken | undefined>;
}
