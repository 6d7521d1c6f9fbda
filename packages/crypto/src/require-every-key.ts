import { KeyEncryptionError } from './key-encryption-keys.js';

/**
 * To be called before it is said that nothing has a digest, with what `Digester.hasEveryKey` said when it was looked
 * for: nobody can tell of what may be under a key that cannot be opened.
 * @throws KeyEncryptionError when it was not looked for under every key for digests
 */
export function requireEveryKey(hasEveryKey: boolean): void {
  if (!hasEveryKey) throw new KeyEncryptionError('a key for digests cannot be opened');
}
