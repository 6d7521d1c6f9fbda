import type { Clock, RandomSource } from '@vestibule/protocol';
import { randomKeyId } from '../random.js';
import type { DataKeyPurpose, KeyState, WrappedDataKey } from './data-key-store.js';
import { KEY_BYTES } from './derive-key.js';
import type { KeyEncryptionKeys } from './key-encryption-keys.js';

/** Generates a data key, wrapped under the active key-encryption key. Does not store it. */
export async function createDataKey(
  {
    keyEncryptionKeys,
    clock,
    random,
  }: { keyEncryptionKeys: KeyEncryptionKeys; clock: Clock; random: RandomSource },
  purpose: DataKeyPurpose,
  state: KeyState,
): Promise<WrappedDataKey> {
  const id = randomKeyId(random);
  const createdAtMs = clock.nowMs();
  return {
    id,
    purpose,
    state,
    wrapped: await keyEncryptionKeys.wrap(random.bytes(KEY_BYTES), contextOf({ id, purpose })),
    keyEncryptionKeyId: keyEncryptionKeys.activeId,
    createdAtMs,
    ...(state === 'active' && { activatedAtMs: createdAtMs }),
  };
}

/**
 * Unwraps a data key.
 * @throws KeyEncryptionError when none of the key-encryption keys wrapped it for this id and purpose.
 */
export function unwrapDataKey(
  keyEncryptionKeys: KeyEncryptionKeys,
  key: WrappedDataKey,
): Promise<Uint8Array> {
  return keyEncryptionKeys.unwrap(key.wrapped, key.keyEncryptionKeyId, contextOf(key));
}

/** Wraps the same data key under the active key-encryption key. */
export async function rewrapDataKey(
  keyEncryptionKeys: KeyEncryptionKeys,
  key: WrappedDataKey,
): Promise<WrappedDataKey> {
  const secret = await unwrapDataKey(keyEncryptionKeys, key);
  return {
    ...key,
    wrapped: await keyEncryptionKeys.wrap(secret, contextOf(key)),
    keyEncryptionKeyId: keyEncryptionKeys.activeId,
  };
}

/**
 * Selects the key for new records: the newest active one in the store's order, so that an interrupted rotation with two
 * active keys is still unambiguous.
 * @throws Error when no key is active.
 */
export function currentDataKey<Key extends Pick<WrappedDataKey, 'state' | 'createdAtMs'>>(
  keys: readonly Key[],
): Key {
  const active = keys.filter(({ state }) => state === 'active');
  const newest = active.toSorted((a, b) => a.createdAtMs - b.createdAtMs).at(-1);
  if (newest === undefined) throw new Error('there is no active data key');
  return newest;
}

/** Binds the wrapping to the key's id and purpose, so that a wrapped key cannot stand in for another one. */
function contextOf({ id, purpose }: Pick<WrappedDataKey, 'id' | 'purpose'>): string {
  return JSON.stringify(['data-key', 1, purpose, id]);
}
