import { KeyEncryptionError } from './key-encryption-keys.js';

/**
 * Call this before reporting that no row has a digest, with `Digester.hasEveryKey` as it was at the look-up: the row
 * may be under a key that cannot be unwrapped.
 * @throws KeyEncryptionError when the look-up did not cover every digest key
 */
export function requireEveryKey(hasEveryKey: boolean): void {
  if (!hasEveryKey) throw new KeyEncryptionError('a digest key cannot be opened');
}
