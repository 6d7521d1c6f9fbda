import type { Digester, DigestLookup } from '@vestibule/crypto/data-keys';
import { Provider } from 'oidc-provider';

/**
 * Looks up a token for the library. At the revocation endpoint the library tries every kind that the token may be of,
 * and finds one at most: there the server that mounts the library handles a token that was not found.
 * @throws KeyEncryptionError anywhere else if there is none, and the token may be under a digest key that cannot be
 * decrypted
 */
export function findToken<Found>(
  digester: Pick<Digester, 'find' | 'availableDigests'>,
  look: DigestLookup<Found>,
): Promise<Found | undefined> {
  return Provider.ctx?.oidc.route === 'revocation' ? look(digester.availableDigests) : digester.find(look);
}
