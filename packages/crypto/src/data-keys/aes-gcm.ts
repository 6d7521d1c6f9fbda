import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { RandomSource } from '@vestibule/protocol';
import { decodeBase64url } from '../jwt/decode-base64url.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES } as const;

/** Input of an encryption, beside the key. */
export interface GcmInput {
  readonly plaintext: Uint8Array;
  /** Associated data: authenticated with the ciphertext but not part of it. Decryption needs the same text. */
  readonly context: string;
  readonly random: RandomSource;
}

/**
 * Encrypts under a fresh random 96-bit initialization vector: `<iv>.<ciphertext>.<tag>`, canonical base64url. One key
 * may be used for at most 2^32 encryptions (NIST SP 800-38D section 8.3).
 */
export function encryptGcm(key: KeyObject, { plaintext, context, random }: GcmInput): string {
  const iv = random.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS);
  cipher.setAAD(Buffer.from(context));
  const ciphertext = cipher.update(plaintext);
  // In this mode `update` returns all of the ciphertext; `final` only completes the tag.
  cipher.final();
  return `${base64url(iv)}.${base64url(ciphertext)}.${base64url(cipher.getAuthTag())}`;
}

/** Decrypts a text; `undefined` if it is malformed or was not encrypted under this key and associated data. */
export function decryptGcm(key: KeyObject, text: string, context: string): Uint8Array | undefined {
  const [iv, ciphertext, tag, ...rest] = text.split('.').map(decodeBase64url);
  if (rest.length > 0 || iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || ciphertext === undefined)
    return undefined;
  const decipher = createDecipheriv(CIPHER, key, iv, OPTIONS);
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(tag);
  try {
    const plaintext = decipher.update(ciphertext);
    decipher.final();
    return plaintext;
  } catch {
    return undefined;
  }
}

function base64url({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64url');
}
