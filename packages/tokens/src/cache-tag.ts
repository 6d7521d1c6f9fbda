import { hash } from 'node:crypto';

/** What a change that is announced can be about. */
export type CacheTagKind = 'client' | 'subject' | 'session' | 'issuer' | 'jti' | 'signing-keys' | 'data-keys';

/** The name of something that changes are announced of: a SHA-256 in base64, whatever the length of what it names. */
export type CacheTag = string;

/** The name of a fact; the database makes the same ones. */
export function cacheTag(kind: CacheTagKind, value: string): CacheTag {
  return hash('sha256', `${kind}:${value}`, 'base64');
}

/** The name of one self-contained token; two of different issuers never share it. */
export function jtiTag(issuer: string, jti: string): CacheTag {
  return cacheTag('jti', `${Buffer.byteLength(issuer)}:${issuer}${jti}`);
}

/** The name of the signing keys as a whole. */
export const SIGNING_KEYS_FACT: CacheTag = cacheTag('signing-keys', '');

/** The name of the keys that encrypt and digest as a whole. */
export const DATA_KEYS_FACT: CacheTag = cacheTag('data-keys', '');

/** The name of an identifier-based token: the digest that it is stored under, in base64. */
export function digestName(digest: Uint8Array): CacheTag {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('base64');
}
