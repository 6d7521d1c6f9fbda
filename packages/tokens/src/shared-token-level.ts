import type { Digest } from '@vestibule/crypto';
import type { AccessToken } from './access-token.js';

/** What the shared level says about a token. */
export type SharedTokenState =
  /** Known, and not revoked by what the store said at `readAtMs`. Expiry and audience are the caller's to check. */
  | { readonly outcome: 'live'; readonly token: AccessToken; readonly readAtMs: number }
  /** Buried a moment ago. */
  | { readonly outcome: 'dead' }
  /** Not known here; the store decides, and its response may be filled in. */
  | { readonly outcome: 'miss' }
  /** Nobody knows; the store decides. */
  | { readonly outcome: 'unavailable' };

/**
 * The second level of the token cache, which all processes share; for tokens that have an entry in the store. Nothing
 * here rejects: a fault is an outcome.
 *
 * A dead token does not come back: burying overwrites with a tombstone, filling never overwrites, a tombstone outlives
 * every fill that could still come, and a state carries the time at which the store was asked, so that one that
 * arrives late is refused by who reads it. Whatever is lost on the way, a state is used for no longer than a few
 * seconds after the store was asked.
 */
export interface SharedTokenLevel {
  /** What is known of the token with a digest. Many at once travel together. */
  get(digest: Digest): Promise<SharedTokenState>;
  /**
   * Remembers a token that the store knows, unless something newer is there already.
   * @param digest the one that the token is stored under, which is the one that a revocation names
   * @param readAtMs the earliest that the store can have been asked by its clock, taken before asking, in milliseconds
   */
  fill(digest: Digest, token: AccessToken, readAtMs: number): Promise<void>;
  /**
   * Buries tokens, after the change of the store was committed. Any number; repeating it is harmless.
   * `unavailable` when not every tombstone is known to be written: states may then be used until their time is over.
   */
  invalidate(digests: readonly Digest[]): Promise<'buried' | 'unavailable'>;
}
