/** Version of every key and value that this package writes; processes with another version never read them. */
export const SCHEMA_VERSION = 1;

/** Prefix of every key, for ACL rules. */
export const KEY_PREFIX = 'vestibule:';

/** Kinds of entries in Redis. */
export type KeyKind = 'token' | 'assertion' | 'rate';

/** Builds a key from prefix, schema version, kind, and parts: digests or numbers, never a credential. */
export function cacheKey(kind: KeyKind, ...parts: readonly string[]): string {
  return `${KEY_PREFIX}${SCHEMA_VERSION}:${kind}:${parts.join(':')}`;
}

/** Encodes a digest for keys and values: base64url without padding. */
export function digestText(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('base64url');
}
