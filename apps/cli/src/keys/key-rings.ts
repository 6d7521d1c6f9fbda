import {
  type DataKeyPurpose,
  KEY_PAIR_ENCRYPTION_ALGORITHMS,
  type KeyPairPurpose,
  type KeySetName,
  type StoredSigningKey,
  type WrappedDataKey,
} from '@vestibule/crypto';
import type { Database } from '@vestibule/database';
import { ASYMMETRIC_ALGORITHMS, nowSeconds, systemClock } from '@vestibule/protocol';

/** The sets of key pairs; logout tokens are signed with the keys of the provider. */
export const KEY_SETS: readonly KeySetName[] = ['provider', 'federation'];

/** A key of ours, of whatever sort, without anything secret. */
export type ListedKey =
  | { readonly kind: 'signing'; readonly key: StoredSigningKey }
  | { readonly kind: 'data'; readonly key: WrappedDataKey };

type Keys = Pick<Database, 'signingKeys' | 'dataKeys'>;

/** Every key that has not expired: key pairs by their set, then data keys, each oldest first. */
export async function listKeys({ signingKeys, dataKeys }: Keys): Promise<readonly ListedKey[]> {
  const now = nowSeconds(systemClock);
  const sets = await Promise.all(KEY_SETS.map((keySet) => signingKeys.list(keySet, now)));
  const pairs = sets.flat().map((key): ListedKey => ({ kind: 'signing', key }));
  const encrypting = (await dataKeys.list()).map((key): ListedKey => ({ kind: 'data', key }));
  return [...pairs, ...encrypting];
}

/** The identifier of a key: a `kid`, or that of a data key. */
export function keyIdentifier(listed: ListedKey): string {
  return listed.kind === 'signing' ? listed.key.kid : listed.key.id;
}

/** A key as programs read it: instants in seconds since the Unix epoch. */
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

/** Describes a key without anything secret. */
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

/** The rings of keys: pairs that sign, pairs that others encrypt to, and data keys. */
export const RING_NAMES = ['provider', 'encryption', 'federation', 'seal', 'digest'] as const;

/** A ring of keys. */
export type Ring = (typeof RING_NAMES)[number];

/** Whether the keys of a ring seal or digest what is stored. */
export function isDataRing(ring: Ring): ring is DataKeyPurpose {
  return ring === 'seal' || ring === 'digest';
}

/** The algorithms that key pairs of a ring can have. */
export function ringAlgorithms(ring: Exclude<Ring, DataKeyPurpose>): readonly string[] {
  return ring === 'encryption' ? KEY_PAIR_ENCRYPTION_ALGORITHMS : ASYMMETRIC_ALGORITHMS;
}

/** What a key pair of a ring and an algorithm is for; `undefined` where the ring has no such algorithm. */
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
