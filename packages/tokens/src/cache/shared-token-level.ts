import type { Digest } from '@vestibule/crypto/data-keys';
import type { AccessToken } from '../access-token.js';

/** The state of a token on the shared level. */
export type SharedTokenState =
  /** Not revoked when the store was read at `readAtMs`. The caller has to check expiry and audience. */
  | { readonly outcome: 'live'; readonly token: AccessToken; readonly readAtMs: number }
  /** Invalidated recently. */
  | { readonly outcome: 'tombstone' }
  /** No entry; read the store, and fill in its result. */
  | { readonly outcome: 'miss' }
  /** The level is unavailable; read the store. */
  | { readonly outcome: 'unavailable' };

/**
 * The second level of the token cache, shared by all processes, for tokens in the store. Its functions never reject: a
 * fault is an outcome.
 *
 * An invalidated token does not come back. Invalidating overwrites with a tombstone, filling never overwrites, and a
 * tombstone outlives every fill that may still be on its way. A state contains the time at which the store was read, so
 * that readers ignore one that arrives late. Even if commands are lost, a state is used for only a few seconds after
 * the store was read.
 */
export interface SharedTokenLevel {
  /** Reads the state of a token. Parallel calls are pipelined. */
  get(digest: Digest): Promise<SharedTokenState>;
  /**
   * Stores a token that was read from the store, unless there is an entry already.
   * @param digest the digest under which the token is stored, which is the one that a revocation names
   * @param readAtMs earliest time of the read by the clock of the store, taken before reading, in milliseconds
   */
  fill(digest: Digest, token: AccessToken, readAtMs: number): Promise<void>;
  /**
   * Invalidates any number of tokens, after the change was committed to the store. It may be repeated. `unavailable`
   * when not every tombstone is known to be written: states may then be used until they are too old.
   */
  invalidate(digests: readonly Digest[]): Promise<'invalidated' | 'unavailable'>;
}
