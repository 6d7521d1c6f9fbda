/** The version of every key and value that this package writes; processes of other versions never read them. */
export const SCHEMA_VERSION = 1;

/** What every key begins with; what an ACL rule has to name. */
export const KEY_PREFIX = 'vestibule:';

/** What is kept in Redis. */
export type KeyKind = 'token' | 'assertion' | 'rate';

/** A key: prefix, schema version, kind, and parts that are digests or numbers, never anything that was presented. */
export function cacheKey(kind: KeyKind, ...parts: readonly string[]): string {
  return `${KEY_PREFIX}${SCHEMA_VERSION}:${kind}:${parts.join(':')}`;
}

/** The spelling of a digest in keys and values: base64url without padding. */
export function digestText(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('base64url');
}
