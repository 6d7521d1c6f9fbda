import type { Clock } from '@vestibule/protocol';
import { activateDataKey, addDataKey, DATA_KEY_SETTLE_MS } from '../data-keys/data-key-rotation.js';
import type { DataKeyStore } from '../data-keys/data-key-store.js';
import { parseKeyEncryptionKeys } from '../data-keys/key-encryption-keys.js';
import { secureRandom } from '../random.js';

/**
 * Replaces the digest key by a new one, wrapped under a key-encryption key that other processes may lack, without
 * waiting for it to settle.
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
