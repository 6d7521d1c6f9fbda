declare const digestBrand: unique symbol;

/** A 32-byte keyed digest of a credential, which is stored in place of the credential. */
export type Digest = Uint8Array & { readonly [digestBrand]: true };

/** A digest of no credential, to compare with when there is nothing to compare, so that the time is the same. */
export const NO_DIGEST: Digest = new Uint8Array(32) as Digest;

/** Kind of a digested value. Equal values of two kinds have unrelated digests. */
export type DigestKind =
  | 'access-token'
  | 'refresh-token'
  | 'initial-access-token'
  | 'registration-access-token'
  | 'client-secret'
  | 'session-cookie'
  | 'cookie'
  | 'assertion'
  | 'artifact'
  | 'entity-tag'
  | 'idempotency-key'
  | 'logout-confirmation'
  | 'logout-receipt'
  | 'network';

/**
 * Digests credentials that are only verified: HMAC-SHA-256 under keys that never leave the process. Synchronous, for
 * the hot path.
 */
export interface Digester {
  /** Returns the digest under the current key, for new rows. */
  digest(kind: DigestKind, value: string): Digest;
  /**
   * Returns the digests under every key that is not retired, the current one first. A look-up must match any of them.
   */
  candidates(kind: DigestKind, value: string): readonly [Digest, ...Digest[]];
  /**
   * Whether `candidates` covers every key that is not retired. While a key cannot be unwrapped, a look-up without a
   * result is inconclusive. Call it in the same tick as `candidates`.
   */
  hasEveryKey(): boolean;
  /** Whether a stored digest is that of the value under any of those keys, compared in constant time. */
  matches(kind: DigestKind, value: string, stored: Digest): boolean;
}
