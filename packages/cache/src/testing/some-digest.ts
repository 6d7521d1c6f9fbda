import { randomBytes } from 'node:crypto';
import type { Digest } from '@vestibule/crypto/data-keys';

/** Makes a unique digest. */
export function someDigest(): Digest {
  return randomBytes(32) as Uint8Array as Digest;
}
