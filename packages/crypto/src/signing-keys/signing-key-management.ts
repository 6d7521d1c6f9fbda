import { type Clock, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { DATA_KEY_SETTLE_MS } from '../data-keys/data-key-rotation.js';
import type { Encryptor } from '../data-keys/encryptor.js';
import { createKeyPair, type KeyPairPurpose } from './key-pair.js';
import { KeyStateError } from './key-state-error.js';
import type { KeySetName, SigningKeyStore, StoredSigningKey } from './signing-key-store.js';

/** Dependencies of managing key pairs. */
export interface SigningKeyDependencies {
  readonly store: SigningKeyStore;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
}

/** The key to change, and how long tokens signed with a retired one may still have to be verified. */
export type SigningKeyChange = SigningKeyOverlap & {
  readonly keySet: KeySetName;
  readonly kid: string;
  /** How long a retired key stays published: the maximum lifetime of what it signed. */
  readonly publishedSeconds: number;
};

/** Whether to wait for cached copies of the published set. */
export type SigningKeyOverlap =
  /** After a compromise, when waiting is worse. */
  | { readonly atOnce: true }
  /** How long copies of the set may be cached. */
  | { readonly atOnce?: false; readonly cachedSeconds: number };

/**
 * How long a key must be published before it signs, and after it last signed, in seconds: until every process has read
 * the keys again and no copy of the set from before that is cached.
 */
export function signingKeyOverlapSeconds(cachedSeconds: number): number {
  return DATA_KEY_SETTLE_MS / 1000 + cachedSeconds;
}

/**
 * Ensures that there is an active key for a purpose. Any number of processes may start at the same time.
 * @returns whether this call created it.
 */
export async function ensureSigningKey(
  dependencies: SigningKeyDependencies,
  purpose: KeyPairPurpose,
): Promise<boolean> {
  const keys = await dependencies.store.list(purpose.keySet, nowSeconds(dependencies.clock));
  if (keys.some((key) => key.state === 'active' && hasPurpose(key, purpose))) return false;
  return dependencies.store.insertFirst(await createKeyPair(dependencies, purpose, 'active'));
}

/** Adds a pending key pair, the first step of a rotation: it is published before it signs. */
export async function addSigningKey(
  dependencies: SigningKeyDependencies,
  purpose: KeyPairPurpose,
): Promise<StoredSigningKey> {
  const key = await createKeyPair(dependencies, purpose, 'pending');
  await dependencies.store.insert(key);
  return key;
}

/**
 * Activates a pending key and retires the active keys with its purpose.
 * @throws KeyStateError when the key is unknown or not pending, and, without `atOnce`, when it or the retired keys
 *   would be published for less than `signingKeyOverlapSeconds`.
 */
export async function activateSigningKey(
  { store, clock }: SigningKeyDependencies,
  { keySet, kid, publishedSeconds, ...overlap }: SigningKeyChange,
): Promise<void> {
  const now = nowSeconds(clock);
  const keys = await store.list(keySet, now);
  const key = findKey(keys, kid);
  if (key.state !== 'pending') throw new KeyStateError('only a pending key can be activated');
  if (!overlap.atOnce) {
    requireAnnounced(key, now, overlap.cachedSeconds);
    requireKept(publishedSeconds, overlap.cachedSeconds);
  }
  // Activate the new key first, so that there is always an active one.
  await store.update({ ...key, state: 'active', activatedAt: now });
  for (const earlier of keys.filter((other) => other.state === 'active' && hasPurpose(other, key)))
    await store.update(retired(earlier, now, publishedSeconds));
}

/**
 * Retires a key, or changes when a retired one is removed: after a compromise, at once.
 * @throws KeyStateError when the key is unknown or the only active one of its purpose, and, without `atOnce`, when it
 *   would be published for less than `signingKeyOverlapSeconds` after it last signed.
 */
export async function retireSigningKey(
  { store, clock }: SigningKeyDependencies,
  { keySet, kid, publishedSeconds, ...overlap }: SigningKeyChange,
): Promise<void> {
  const now = nowSeconds(clock);
  const keys = await store.list(keySet, now);
  const key = findKey(keys, kid);
  const others = keys.filter((other) => other.kid !== kid && hasPurpose(other, key));
  if (key.state === 'active' && !others.some(({ state }) => state === 'active'))
    throw new KeyStateError('the only active key of its purpose cannot be retired: activate another first');
  if (!overlap.atOnce) requireKept(publishedSeconds + now - (key.retiredAt ?? now), overlap.cachedSeconds);
  await store.update(retired(key, now, publishedSeconds));
}

/** Copies of the set from before the key must have expired. */
function requireAnnounced({ createdAt }: StoredSigningKey, now: EpochSeconds, cachedSeconds: number): void {
  const leftSeconds = createdAt + signingKeyOverlapSeconds(cachedSeconds) - now;
  if (leftSeconds > 0)
    throw new KeyStateError(
      `the key is too new: cached copies of the published keys may lack it for another ${leftSeconds} seconds`,
    );
}

/** Recently signed tokens must stay verifiable with a set that is fetched only then. */
function requireKept(keptSeconds: number, cachedSeconds: number): void {
  const overlapSeconds = signingKeyOverlapSeconds(cachedSeconds);
  if (keptSeconds < overlapSeconds)
    throw new KeyStateError(
      `a retired key must stay published for at least ${overlapSeconds} seconds, to verify what it has just signed`,
    );
}

function retired(key: StoredSigningKey, now: EpochSeconds, publishedSeconds: number): StoredSigningKey {
  const expiresAt = epochSeconds(now + publishedSeconds);
  return { ...key, state: 'retired', retiredAt: key.retiredAt ?? now, expiresAt };
}

function hasPurpose(
  key: StoredSigningKey,
  { keySet, use, algorithm }: Pick<StoredSigningKey, 'keySet' | 'use' | 'algorithm'>,
): boolean {
  return key.keySet === keySet && key.use === use && key.algorithm === algorithm;
}

function findKey(keys: readonly StoredSigningKey[], kid: string): StoredSigningKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new KeyStateError('there is no such key');
  return key;
}
