declare const digestBrand: unique symbol;

/** A 32-byte digest of a credential under a key, which is stored in place of the credential; or an unkeyed one of a name. */
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
  | 'logout-return'
  | 'network'
  | 'cache-tag';

/** Returns the digests of a value under every available key, the current one first. */
export type AvailableDigests = (kind: DigestKind, value: string) => readonly [Digest, ...Digest[]];

/** Looks for a row with any of the digests of a value; `undefined` when there is none. */
export type DigestLookup<Found> = (digests: AvailableDigests) => Promise<Found | undefined>;

/**
 * Digests credentials that are only verified: HMAC-SHA-256 under keys that never leave the process. Synchronous, for
 * the hot path.
 *
 * Rows may be under any key that is not retired. While one of those cannot be opened, only the others are available,
 * and a value without a match is not known to be absent: `find` and `matches` then throw.
 */
export interface Digester {
  /** Returns the digest under the current key, for new rows. */
  digest(kind: DigestKind, value: string): Digest;
  /**
   * Runs a lookup under the keys of this moment. `whileKeyMissing` runs under the same keys if the lookup finds
   * nothing while a key cannot be opened.
   * @throws KeyEncryptionError when neither finds anything while a key cannot be opened
   */
  find<Found>(look: DigestLookup<Found>, whileKeyMissing?: DigestLookup<Found>): Promise<Found | undefined>;
  /**
   * Whether any of the stored digests is that of the value, compared in constant time.
   * @throws KeyEncryptionError when none is while a key cannot be opened; never without a stored digest
   */
  matches(kind: DigestKind, value: string, ...stored: readonly Digest[]): boolean;
  /** Like `matches`, but false when the stored digest may be under a key that cannot be opened. */
  matchesAvailable(kind: DigestKind, value: string, ...stored: readonly Digest[]): boolean;
  /**
   * Returns the digests under every available key, to write or delete rows. A lookup that reports absence must use
   * `find`.
   */
  availableDigests: AvailableDigests;
}
