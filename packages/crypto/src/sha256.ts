import { hash } from 'node:crypto';

/** The SHA-256 digest, 32 bytes; text is taken as UTF-8. */
export function sha256(value: string | Uint8Array): Uint8Array {
  return hash('sha256', value, 'buffer');
}
