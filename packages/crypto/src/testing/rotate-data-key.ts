import type { FrozenClock } from '@vestibule/protocol/testing';
import { activateDataKey, addDataKey, DATA_KEY_SETTLE_MS } from '../data-keys/data-key-rotation.js';
import type { DataKeyPurpose } from '../data-keys/data-key-store.js';
import type { DataKeyDependencies } from '../data-keys/data-keys.js';

/** Replaces a data key by a new one and advances the clock by the time that this takes. */
export async function rotateDataKey(
  dependencies: DataKeyDependencies & { readonly clock: FrozenClock },
  purpose: DataKeyPurpose,
): Promise<void> {
  const { id } = await addDataKey(dependencies, purpose);
  dependencies.clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000);
  await activateDataKey(dependencies, id);
}
