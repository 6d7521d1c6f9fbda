import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { DataKeyStore, WrappedDataKey } from '../data-keys/data-key-store.js';
import type { KeySetName, SigningKeyStore, StoredSigningKey } from '../signing-keys/signing-key-store.js';
import type { Ring } from './rings.js';

/** Key sets. Logout tokens are signed with the keys of the provider. */
const KEY_SETS: readonly KeySetName[] = ['provider', 'federation'];

/** A key of any kind, without secret material. */
export type ListedKey =
  | { readonly kind: 'signing'; readonly key: StoredSigningKey }
  | { readonly kind: 'data'; readonly key: WrappedDataKey };

/** The stores of all keys. */
export interface KeyStores {
  readonly signingKeys: Pick<SigningKeyStore, 'list'>;
  readonly dataKeys: Pick<DataKeyStore, 'list'>;
}

/** Lists every key that has not expired: key pairs by key set, then data keys, each oldest first. */
export async function listKeys(
  { signingKeys, dataKeys }: KeyStores,
  clock: Clock,
): Promise<readonly ListedKey[]> {
  const now = nowSeconds(clock);
  const sets = await Promise.all(KEY_SETS.map((keySet) => signingKeys.list(keySet, now)));
  const pairs = sets.flat().map((key): ListedKey => ({ kind: 'signing', key }));
  const encrypting = (await dataKeys.list()).map((key): ListedKey => ({ kind: 'data', key }));
  return [...pairs, ...encrypting];
}

/** Returns the identifier of a key: a `kid`, or that of a data key. */
export function keyIdentifier(listed: ListedKey): string {
  return listed.kind === 'signing' ? listed.key.kid : listed.key.id;
}

/** A key for JSON output; times in seconds since the Unix epoch. */
export interface KeyRecord {
  readonly id: string;
  readonly ring: Ring;
  readonly algorithm?: string;
  readonly state: WrappedDataKey['state'];
  readonly created_at: number;
  readonly activated_at?: number;
  readonly retired_at?: number;
  readonly expires_at?: number;
  readonly key_encryption_key?: string;
}

/** Describes a key without secret material. */
export function keyRecord(listed: ListedKey): KeyRecord {
  if (listed.kind === 'data') {
    const { id, purpose, state, keyEncryptionKeyId, createdAtMs, activatedAtMs } = listed.key;
    return {
      id,
      ring: purpose,
      state,
      created_at: Math.floor(createdAtMs / 1000),
      ...(activatedAtMs !== undefined && { activated_at: Math.floor(activatedAtMs / 1000) }),
      key_encryption_key: keyEncryptionKeyId,
    };
  }
  const { kid, keySet, use, algorithm, state, createdAt, activatedAt, retiredAt, expiresAt } = listed.key;
  return {
    id: kid,
    ring: use === 'enc' ? 'encryption' : keySet,
    algorithm,
    state,
    created_at: createdAt,
    ...(activatedAt !== undefined && { activated_at: activatedAt }),
    ...(retiredAt !== undefined && { retired_at: retiredAt }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}
