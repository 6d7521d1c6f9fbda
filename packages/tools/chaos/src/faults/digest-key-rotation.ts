import { setTimeout as pause } from 'node:timers/promises';
import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { systemClock } from '@vestibule/protocol';
import type { Installation } from '../test-environment/installation.js';

/** Instances read a new key as soon as its invalidation event arrives. */
const READ_MS = 1_000;
/** Operators wait longer, for processes without an invalidation stream. */
const LATER = { nowMs: () => systemClock.nowMs() + DATA_KEY_SETTLE_MS };

/**
 * Adds a digest key, which names cache tags too, and activates it after a second. Earlier keys stay, because tokens are stored
 * under them.
 */
export async function rotateDigestKey({ store, environment }: Installation): Promise<void> {
  const rotation = {
    store: store.database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(environment['ENCRYPTION_KEYS'] ?? ''),
    random: secureRandom,
  };
  const { id } = await addDataKey({ ...rotation, clock: systemClock }, 'digest');
  await pause(READ_MS);
  await activateDataKey({ ...rotation, clock: LATER }, id);
}
