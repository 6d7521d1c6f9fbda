import { sha256 } from '../sha256.js';
import type { Digest, DigestKind } from './digester.js';

/**
 * Returns SHA-256(`unkeyed`, NUL, kind, NUL, value): a digest for rows that must be found for as long as they exist, also
 * after digest keys were retired. Anyone who has the value can compute it, so the value must not be a credential.
 */
export function unkeyedDigest(kind: DigestKind, value: string): Digest {
  return sha256(`unkeyed\0${kind}\0${value}`) as Digest;
}
