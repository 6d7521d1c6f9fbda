import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { DataKeyPurpose } from '../data-keys/data-key-store.js';
import { KEY_PAIR_ENCRYPTION_ALGORITHMS, type KeyPairPurpose } from '../signing-keys/key-pair.js';

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
