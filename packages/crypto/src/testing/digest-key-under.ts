import type { Clock } from '@vestibule/protocol';
import { activateDataKey, addDataKey, DATA_KEY_SETTLE_MS } from '../data-key-rotation.js';
import type { DataKeyStore } from '../data-key-store.js';
import { parseKeyEncryptionKeys } from '../key-encryption-keys.js';
import { secureRandom } from '../random.js';

/**
 * Has a new key for digests take the place of the one in use, wrapped under a key-encryption key that others may lack,
 * without waiting until it has settled.
 * @returns its identifier
 */
export async function useDigestKeyUnder(
  keyEncryptionKey: string,
  { store, clock }: { readonly store: DataKeyStore; readonly clock: Clock },
): Promise<string> {
  const keyEncryptionKeys = parseKeyEncryptionKeys(keyEncryptionKey);
  const dependencies = { store, clock, keyEncryptionKeys, random: secureRandom };
  const { id } = await addDataKey(dependencies, 'digest');
  const later = { nowMs: () => clock.nowMs() + DATA_KEY_SETTLE_MS };
  await activateDataKey({ ...dependencies, clock: later }, id);
  return id;
}
