import { createHash } from 'node:crypto';

/** The SHA-256 digest, 32 bytes; text is taken as UTF-8. */
export function sha256(value: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(value).digest();
}
