import type { FrozenClock } from '@vestibule/protocol/testing';
import { activateDataKey, addDataKey, DATA_KEY_SETTLE_MS } from '../data-key-rotation.js';
import type { DataKeyPurpose } from '../data-key-store.js';
import type { DataKeyDependencies } from '../data-keys.js';

/** Has a new data key take the place of the one in use, and lets the time pass that it takes. */
export async function rotateDataKey(
  dependencies: DataKeyDependencies & { readonly clock: FrozenClock },
  purpose: DataKeyPurpose,
): Promise<void> {
  const { id } = await addDataKey(dependencies, purpose);
  dependencies.clock.advanceSeconds(DATA_KEY_SETTLE_MS / 1000);
  await activateDataKey(dependencies, id);
}
