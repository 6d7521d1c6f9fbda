import { createHash } from 'node:crypto';
import type { Clock } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import { frozenClock } from '@vestibule/protocol/testing';
import { type DataKeys, openDataKeys } from '../data-keys/data-keys.js';
import { parseKeyEncryptionKeys } from '../data-keys/key-encryption-keys.js';
import { secureRandom } from '../random.js';
import { type KeyRing, openKeyRing } from '../signing-keys/key-ring.js';
import { ensureSigningKey } from '../signing-keys/signing-key-management.js';
import { memoryDataKeyStore, memorySigningKeyStore } from './memory-key-stores.js';

/** Makes a configured key-encryption key from a name: equal names give equal keys. */
export function keyEncryptionKeyText(name = 'first'): string {
  return createHash('sha256').update(name).digest('base64url');
}

/** Creates data keys in memory, with a real encryptor and a real digester. */
export function openTestDataKeys(clock: Clock = frozenClock()): Promise<DataKeys> {
  const keyEncryptionKeys = parseKeyEncryptionKeys(keyEncryptionKeyText());
  return openDataKeys({ store: memoryDataKeyStore(), keyEncryptionKeys, clock, random: secureRandom });
}

/** Creates an in-memory provider key ring with a new active key for each algorithm. */
export async function openTestKeyRing(
  algorithms: readonly AsymmetricAlgorithm[] = ['ES256'],
  clock: Clock = frozenClock(),
): Promise<KeyRing> {
  const { encryptor } = await openTestDataKeys(clock);
  const dependencies = { store: memorySigningKeyStore(), encryptor, clock };
  for (const algorithm of algorithms)
    await ensureSigningKey(dependencies, { keySet: 'provider', use: 'sig', algorithm });
  return openKeyRing({ ...dependencies, keySet: 'provider' });
}
