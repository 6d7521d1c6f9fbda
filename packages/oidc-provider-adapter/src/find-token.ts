import { type Digester, findByDigest } from '@vestibule/crypto';
import { Provider } from 'oidc-provider';

/**
 * What the library finds of a token. To revoke one it looks for every kind that the text may be of, and finds one at
 * most: there whoever serves the library judges what it found nowhere.
 * @throws KeyEncryptionError anywhere else when there is none, and may be one under a key for digests that cannot be
 *   opened
 */
export function findToken<Found>(
  digester: Pick<Digester, 'hasEveryKey'>,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return Provider.ctx?.oidc.route === 'revocation' ? find() : findByDigest(digester, find);
}
