/**
 * An encrypted record does not open: malformed, its key unknown, changed, or encrypted for another place. Quotes
 * nothing of it.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError';
}
