import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** The bytes of every symmetric key of ours, of those that are derived and those that they are derived from. */
export const KEY_BYTES = 32;

/** What a derived key is for. A key under one label says nothing of the keys under the others. */
export type KeyLabel = 'key-encryption' | 'key-encryption-id' | 'seal' | 'digest';

/** Derives the key of one purpose (HKDF with SHA-256, RFC 5869). The result never prints its bytes. */
export function deriveKey(secret: Uint8Array, label: KeyLabel): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `vestibule/1/${label}`, KEY_BYTES)));
}
