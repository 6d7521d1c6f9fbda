import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Length of every symmetric key, derived or not, in bytes. */
export const KEY_BYTES = 32;

/** Purpose of a derived key. Keys with different labels are independent. */
export type KeyLabel = 'key-encryption' | 'key-encryption-id' | 'seal' | 'digest';

/** Derives the key for one purpose (HKDF with SHA-256, RFC 5869). The result never prints its bytes. */
export function deriveKey(secret: Uint8Array, label: KeyLabel): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `vestibule/1/${label}`, KEY_BYTES)));
}
