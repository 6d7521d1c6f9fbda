import type { Clock, RandomSource } from '@vestibule/protocol';
import type { DataKeyPurpose, KeyState, WrappedDataKey } from './data-key-store.js';
import { KEY_BYTES } from './derive-key.js';
import type { KeyEncryptionKeys } from './key-encryption-keys.js';
import { randomKeyId } from './random.js';

/** A fresh data key, wrapped under the active key-encryption key and not yet stored. */
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
 * The bytes of a data key.
 * @throws KeyEncryptionError when it is not wrapped under any of the key-encryption keys, for this id and purpose.
 */
export function unwrapDataKey(
  keyEncryptionKeys: KeyEncryptionKeys,
  key: WrappedDataKey,
): Promise<Uint8Array> {
  return keyEncryptionKeys.unwrap(key.wrapped, key.keyEncryptionKeyId, contextOf(key));
}

/** The same data key under the active key-encryption key. */
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
 * The key that new records are written under: of keys in the store's order the newest active one, so that a rotation
 * that stops half-way, with two active keys, is still decided.
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

/** Ties the wrapping to the key's id and purpose: a wrapped key put in another's place does not open. */
function contextOf({ id, purpose }: Pick<WrappedDataKey, 'id' | 'purpose'>): string {
  return JSON.stringify(['data-key', 1, purpose, id]);
}
