import type { Digester } from './digester.js';
import { requireEveryKey } from './require-every-key.js';

/**
 * Runs a look-up by digest. The look-up must compute its candidates before it first awaits, so that they and
 * `hasEveryKey` refer to the same keys.
 * @throws KeyEncryptionError when it finds nothing but the value may be under a digest key that cannot be unwrapped
 */
export async function findByDigest<Found>(
  digester: Pick<Digester, 'hasEveryKey'>,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const hasEveryKey = digester.hasEveryKey();
  const found = await find();
  requireEveryKey(hasEveryKey || found !== undefined);
  return found;
}
