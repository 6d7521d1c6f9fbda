import { hash } from 'node:crypto';

/** Computes the SHA-256 digest, 32 bytes; strings are encoded as UTF-8. */
export function sha256(value: string | Uint8Array): Uint8Array {
  return hash('sha256', value, 'buffer');
}
