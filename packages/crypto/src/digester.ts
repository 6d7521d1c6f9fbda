declare const digestBrand: unique symbol;

/** A 32-byte keyed digest of a credential; what the store holds in place of the credential. */
export type Digest = Uint8Array & { readonly [digestBrand]: true };

/** The digest of no credential at all: what is compared where there is nothing, so that the time tells nothing. */
export const NO_DIGEST: Digest = new Uint8Array(32) as Digest;

/** What is digested. Each kind has its own namespace: equal texts of two kinds have unrelated digests. */
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
 * Digests verify-only credentials: HMAC-SHA-256 under keys that never leave the process. Synchronous, for the hot path.
 */
export interface Digester {
  /** The digest under the current key; what new rows are stored with. */
  digest(kind: DigestKind, value: string): Digest;
  /** The digests under every key that is not retired, the current one first: what a look-up has to match any of. */
  candidates(kind: DigestKind, value: string): readonly [Digest, ...Digest[]];
  /**
   * Whether there are candidates under every key that is not retired. While one cannot be opened, a look-up that finds
   * nothing does not tell that there is nothing. To be asked in one turn with the candidates.
   */
  hasEveryKey(): boolean;
  /** Whether a stored digest is that of the value under any of those keys, compared in constant time. */
  matches(kind: DigestKind, value: string, stored: Digest): boolean;
}
