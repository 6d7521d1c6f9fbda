import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { RandomSource } from '@vestibule/protocol';
import { decodeBase64url } from './decode-base64url.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES } as const;

/** What one encryption takes besides the key. */
export interface GcmInput {
  readonly plaintext: Uint8Array;
  /** Authenticated with the ciphertext and not part of it: the same text has to be known to open it. */
  readonly context: string;
  readonly random: RandomSource;
}

/**
 * Encrypts under a fresh random 96-bit initialisation vector: `<iv>.<ciphertext>.<tag>`, canonical base64url.
 * One key stands for at most 2^32 encryptions (NIST SP 800-38D section 8.3).
 */
export function encryptGcm(key: KeyObject, { plaintext, context, random }: GcmInput): string {
  const iv = random.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, OPTIONS);
  cipher.setAAD(Buffer.from(context));
  const ciphertext = cipher.update(plaintext);
  // This mode gives all of the ciphertext as it goes; what is left is the tag.
  cipher.final();
  return `${base64url(iv)}.${base64url(ciphertext)}.${base64url(cipher.getAuthTag())}`;
}

/** The plaintext, or `undefined` when the text is malformed, or was not encrypted under this key and context. */
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
