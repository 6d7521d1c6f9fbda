import { createDataKey, currentDataKey, rewrapDataKey } from './data-key.js';
import type { DataKeyPurpose, WrappedDataKey } from './data-key-store.js';
import { type DataKeyDependencies, KEY_REFRESH_INTERVAL_MS } from './data-keys.js';
import { KeyStateError } from './key-state-error.js';

/**
 * How long a new data key stays pending, and a key for digests is kept after another has taken its place: by then every
 * process has read the keys at least once.
 */
export const DATA_KEY_SETTLE_MS = 2 * KEY_REFRESH_INTERVAL_MS;

/**
 * Adds a pending data key, the first step of a rotation: every process learns it before anything is written under it.
 */
export async function addDataKey(
  dependencies: DataKeyDependencies,
  purpose: DataKeyPurpose,
): Promise<WrappedDataKey> {
  const key = await createDataKey(dependencies, purpose, 'pending');
  await dependencies.store.insert(key);
  return key;
}

/**
 * Writes new records under a pending data key. The key for encrypting that was active before is retired, for it still
 * opens; a key for digests turns to pending until it is retired by hand, because what was stored under it has to match.
 * @throws KeyStateError when the key is unknown, not pending, or younger than `DATA_KEY_SETTLE_MS`.
 */
export async function activateDataKey({ store, clock }: DataKeyDependencies, id: string): Promise<void> {
  const keys = await store.list();
  const key = findKey(keys, id);
  if (key.state !== 'pending') throw new KeyStateError('only a pending data key can be activated');
  const nowMs = clock.nowMs();
  if (nowMs - key.createdAtMs < DATA_KEY_SETTLE_MS)
    throw new KeyStateError('the data key is too new: not every process knows it yet');
  await store.update({ ...key, state: 'active', activatedAtMs: nowMs });
  if (key.purpose !== 'seal') return;
  for (const earlier of keys.filter(({ purpose, state }) => purpose === 'seal' && state === 'active'))
    await store.update({ ...earlier, state: 'retired' });
}

/**
 * Retires a data key. Records that are encrypted under it still open; digests under it match nothing any more in each
 * process that has read the keys since: at the latest after `KEY_REFRESH_INTERVAL_MS`.
 * @throws KeyStateError when the key is unknown, or is the one that new records are written under; of keys for digests
 *   also when the one in use became it less than `DATA_KEY_SETTLE_MS` ago.
 */
export async function retireDataKey({ store, clock }: DataKeyDependencies, id: string): Promise<void> {
  const keys = await store.list();
  const key = findKey(keys, id);
  const current = currentDataKey(keys.filter(({ purpose }) => purpose === key.purpose));
  if (current.id === id) throw new KeyStateError('the data key in use cannot be retired');
  if (key.purpose === 'digest') requireSettled(current, clock.nowMs());
  await store.update({ ...key, state: 'retired' });
}

/** A process that has not read the keys since would go on storing what nobody finds any more. */
function requireSettled({ activatedAtMs, createdAtMs }: WrappedDataKey, nowMs: number): void {
  const leftMs = (activatedAtMs ?? createdAtMs) + DATA_KEY_SETTLE_MS - nowMs;
  if (leftMs <= 0) return;
  const leftSeconds = Math.ceil(leftMs / 1000);
  throw new KeyStateError(
    `the data key can be retired in ${leftSeconds} seconds: until then some processes may write under it`,
  );
}

/**
 * Wraps every data key under the active key-encryption key, so that earlier ones can be taken away. What is encrypted
 * or digested stays as it is. Can be stopped and run again at any time.
 * @returns how many data keys were wrapped anew.
 */
export async function rewrapDataKeys({ store, keyEncryptionKeys }: DataKeyDependencies): Promise<number> {
  const keys = await store.list();
  const due = keys.filter(({ keyEncryptionKeyId }) => keyEncryptionKeyId !== keyEncryptionKeys.activeId);
  for (const key of due) await store.update(await rewrapDataKey(keyEncryptionKeys, key));
  return due.length;
}

function findKey(keys: readonly WrappedDataKey[], id: string): WrappedDataKey {
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new KeyStateError('there is no such data key');
  return key;
}
