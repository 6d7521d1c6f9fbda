import type { DataKeyPurpose, WrappedDataKey } from '@vestibule/crypto/data-keys';
import {
  KEY_PAIR_ENCRYPTION_ALGORITHMS,
  type KeyPairPurpose,
  type KeySetName,
  type StoredSigningKey,
} from '@vestibule/crypto/signing-keys';
import type { Database } from '@vestibule/database';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';

/** Key sets. Logout tokens are signed with the keys of the provider. */
export const KEY_SETS: readonly KeySetName[] = ['provider', 'federation'];

/** A key of any kind, without secret material. */
export type ListedKey =
  | { readonly kind: 'signing'; readonly key: StoredSigningKey }
  | { readonly kind: 'data'; readonly key: WrappedDataKey };

type Keys = Pick<Database, 'signingKeys' | 'dataKeys'>;

/** Lists every key that has not expired: key pairs by key set, then data keys, each oldest first. */
export async function listKeys({ signingKeys, dataKeys }: Keys): Promise<readonly ListedKey[]> {
  const now = nowSeconds(systemClock);
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
  readonly ring: string;
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

/** Key rings: signing key pairs, encryption key pairs, and data keys. */
export const RING_NAMES = ['provider', 'encryption', 'federation', 'seal', 'digest'] as const;

/** A key ring. */
export type Ring = (typeof RING_NAMES)[number];

/** Whether the keys of a ring encrypt or digest stored data. */
export function isDataRing(ring: Ring): ring is DataKeyPurpose {
  return ring === 'seal' || ring === 'digest';
}

/** Returns the algorithms of key pairs of a ring. */
export function ringAlgorithms(ring: Exclude<Ring, DataKeyPurpose>): readonly string[] {
  return ring === 'encryption' ? KEY_PAIR_ENCRYPTION_ALGORITHMS : ASYMMETRIC_ALGORITHMS;
}

/**
 * Returns the purpose of a key pair of a ring and an algorithm; `undefined` if the ring does not support the algorithm.
 */
export function keyPairPurpose(
  ring: Exclude<Ring, DataKeyPurpose>,
  wanted: string | undefined,
): KeyPairPurpose | undefined {
  if (ring === 'encryption') {
    const algorithm = KEY_PAIR_ENCRYPTION_ALGORITHMS.find((name) => name === wanted);
    return algorithm && { keySet: 'provider', use: 'enc', algorithm };
  }
  const algorithm = ASYMMETRIC_ALGORITHMS.find((name) => name === wanted);
  return algorithm && { keySet: ring, use: 'sig', algorithm };
}
