import { hash } from 'node:crypto';

/** Kinds of entities that cached states depend on. */
export type CacheTagKind = 'client' | 'subject' | 'session' | 'issuer' | 'jti' | 'signing-keys' | 'data-keys';

/** Identifies an entity in invalidation events: a SHA-256 in base64, independent of the length of the entity's name. */
export type CacheTag = string;

/** Builds the tag of an entity. The triggers of the database build the same tags. */
export function cacheTag(kind: CacheTagKind, value: string): CacheTag {
  return hash('sha256', `${kind}:${value}`, 'base64');
}

/** Builds the tag of a self-contained token. Tokens of different issuers never share a tag. */
export function jtiTag(issuer: string, jti: string): CacheTag {
  return cacheTag('jti', `${Buffer.byteLength(issuer)}:${issuer}${jti}`);
}

/** Tag of all signing keys. */
export const SIGNING_KEYS_TAG: CacheTag = cacheTag('signing-keys', '');

/** Tag of all keys for encryption and digests. */
export const DATA_KEYS_TAG: CacheTag = cacheTag('data-keys', '');

/** Builds the tag of an identifier-based token: the digest under which it is stored, in base64. */
export function digestTag(digest: Uint8Array): CacheTag {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('base64');
}
