import { createHmac, type KeyObject } from 'node:crypto';
import { constantTimeEquals } from '../constant-time-equals.js';
import type { AvailableDigests, Digest, Digester, DigestKind, DigestLookup } from './digester.js';
import { KeyEncryptionError } from './key-encryption-keys.js';

/** The digest keys of one moment. */
export interface DigestKeySet {
  /** Whether every key that is not retired is available. */
  readonly isComplete: boolean;
  /** Returns the digest under the current key. */
  readonly digest: (kind: DigestKind, value: string) => Digest;
  readonly available: AvailableDigests;
}

/** Creates a key set for HMAC-SHA-256(key, kind, NUL, value). The current key is the first one. */
export function digestKeySet(
  [current, ...others]: readonly [KeyObject, ...KeyObject[]],
  isComplete: boolean,
): DigestKeySet {
  return {
    isComplete,
    digest: (kind, value) => digestUnder(current, kind, value),
    available: (kind, value) => {
      const digests: [Digest, ...Digest[]] = [digestUnder(current, kind, value)];
      for (const key of others) digests.push(digestUnder(key, kind, value));
      return digests;
    },
  };
}

/** Creates a digester. `currentKeys` is called each time, so that keys can rotate. */
export function hmacDigester(currentKeys: () => DigestKeySet): Digester {
  return {
    digest: (kind, value) => currentKeys().digest(kind, value),
    find: (look, whileKeyMissing) => {
      const keys = currentKeys();
      return keys.isComplete ? look(keys.available) : findUnder(keys, look, whileKeyMissing);
    },
    matches: (kind, value, ...stored) => {
      const keys = currentKeys();
      if (isAnyOf(keys.available(kind, value), stored)) return true;
      if (!keys.isComplete && stored.length > 0) throw missingKey();
      return false;
    },
    matchesAvailable: (kind, value, ...stored) => isAnyOf(currentKeys().available(kind, value), stored),
    availableDigests: (kind, value) => currentKeys().available(kind, value),
  };
}

async function findUnder<Found>(
  { available }: DigestKeySet,
  look: DigestLookup<Found>,
  whileKeyMissing: DigestLookup<Found> | undefined,
): Promise<Found> {
  const found = (await look(available)) ?? (await whileKeyMissing?.(available));
  if (found === undefined) throw missingKey();
  return found;
}

/** Compares every pair, so that the time does not reveal the key of a stored digest. */
function isAnyOf(digests: readonly Digest[], stored: readonly Digest[]): boolean {
  const equal = stored.flatMap((one) => digests.map((digest) => constantTimeEquals(digest, one)));
  return equal.includes(true);
}

function missingKey(): KeyEncryptionError {
  return new KeyEncryptionError('a digest key cannot be opened');
}

function digestUnder(key: KeyObject, kind: DigestKind, value: string): Digest {
  // A value that is not a string must never become part of a lookup.
  if (typeof value !== 'string') throw new TypeError('only a string has a digest');
  // As a string: for a buffer Node allocates external memory, which costs as much as the rest.
  const text = createHmac('sha256', key).update(`${kind}\0${value}`).digest('binary');
  const digest: Uint8Array = Buffer.from(text, 'binary');
  return digest as Digest;
}
