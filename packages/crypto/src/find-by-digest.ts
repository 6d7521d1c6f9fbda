import type { Digester } from './digester.js';
import { requireEveryKey } from './require-every-key.js';

/**
 * What a look-up by digest finds. It has to take its candidates before it first waits, so that the digester is asked
 * about its keys and for the candidates in one turn.
 * @throws KeyEncryptionError when it finds nothing, and what is looked for may be under a key for digests that cannot be
 *   opened
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
