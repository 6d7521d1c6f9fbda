import { randomBytes } from 'node:crypto';
import type { Digest } from '@vestibule/crypto';

/** A digest that nothing else has. */
export function someDigest(): Digest {
  return randomBytes(32) as Uint8Array as Digest;
}
