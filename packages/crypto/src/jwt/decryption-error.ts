/**
 * An encrypted record cannot be decrypted: it is malformed, its key unknown, it was changed, or encrypted with other
 * associated data. Quotes nothing of it.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}
