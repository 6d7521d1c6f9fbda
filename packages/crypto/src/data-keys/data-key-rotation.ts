import { KeyStateError } from '../signing-keys/key-state-error.js';
import { createDataKey, currentDataKey, rewrapDataKey } from './data-key.js';
import type { DataKeyPurpose, WrappedDataKey } from './data-key-store.js';
import { type DataKeyDependencies, KEY_REFRESH_INTERVAL_MS } from './data-keys.js';

/**
 * How long a new data key stays pending, and a previous digest key is kept, in milliseconds: by then every process has
 * read the keys at least once.
 */
export const DATA_KEY_SETTLE_MS = 2 * KEY_REFRESH_INTERVAL_MS;

/**
 * Adds a pending data key, the first step of a rotation: every process reads it before anything is written under it.
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
 * Makes a pending data key the one for new records. The previous encryption key is retired, since it can still decrypt.
 * A previous digest key becomes pending until it is retired by hand, because stored digests must still match.
 * @throws KeyStateError when the key is unknown, not pending, or younger than `DATA_KEY_SETTLE_MS`.
 */
export async function activateDataKey({ store, clock }: DataKeyDependencies, id: string): Promise<void> {
  const keys = await store.list();
  const key = findKey(keys, id);
  if (key.state !== 'pending') throw new KeyStateError('only a pending data key can be activated');
  const nowMs = clock.nowMs();
  if (nowMs - key.createdAtMs < DATA_KEY_SETTLE_MS)
    throw new KeyStateError('the data key is too new: not every process has read it yet');
  await store.update({ ...key, state: 'active', activatedAtMs: nowMs });
  if (key.purpose !== 'seal') return;
  for (const earlier of keys.filter(({ purpose, state }) => purpose === 'seal' && state === 'active'))
    await store.update({ ...earlier, state: 'retired' });
}

/**
 * Retires a data key. Records encrypted under it can still be decrypted. Digests under it no longer match once a
 * process has read the keys again, after `KEY_REFRESH_INTERVAL_MS` at the latest.
 * @throws KeyStateError when the key is unknown or the current one for new records; for digest keys also when the
 *   current one became active less than `DATA_KEY_SETTLE_MS` ago.
 */
export async function retireDataKey({ store, clock }: DataKeyDependencies, id: string): Promise<void> {
  const keys = await store.list();
  const key = findKey(keys, id);
  const current = currentDataKey(keys.filter(({ purpose }) => purpose === key.purpose));
  if (current.id === id) throw new KeyStateError('the data key in use cannot be retired');
  if (key.purpose === 'digest') requireSettled(current, clock.nowMs());
  await store.update({ ...key, state: 'retired' });
}

/** A process that has not read the keys since would go on storing digests that never match. */
function requireSettled({ activatedAtMs, createdAtMs }: WrappedDataKey, nowMs: number): void {
  const leftMs = (activatedAtMs ?? createdAtMs) + DATA_KEY_SETTLE_MS - nowMs;
  if (leftMs <= 0) return;
  const leftSeconds = Math.ceil(leftMs / 1000);
  throw new KeyStateError(
    `the data key can be retired in ${leftSeconds} seconds: until then some processes may write under it`,
  );
}

/**
 * Wraps every data key under the active key-encryption key, so that earlier key-encryption keys can be removed.
 * Encrypted records and digests do not change. Can be interrupted and repeated.
 * @returns the number of data keys that were wrapped again.
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
