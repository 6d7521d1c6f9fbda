import { constantTimeEquals } from '../constant-time-equals.js';
import { unwrapDataKey } from './data-key.js';
import type { WrappedDataKey } from './data-key-store.js';
import { deriveKey } from './derive-key.js';
import type { Digest, DigestKind } from './digester.js';
import { digestKeySet } from './hmac-digester.js';
import type { KeyEncryptionKeys } from './key-encryption-keys.js';

/** A digest as it is stored, and what it is the digest of. */
export interface StoredDigest {
  readonly kind: DigestKind;
  readonly value: string;
  readonly digest: Digest;
}

/**
 * Whether a stored digest is one under a digest key, so that it no longer matches when the key is retired. For a decision
 * about one key; a `Digester` compares with all of them.
 * @throws KeyEncryptionError when none of the key-encryption keys opens the key
 */
export async function isDigestedUnder(
  keyEncryptionKeys: KeyEncryptionKeys,
  key: WrappedDataKey,
  { kind, value, digest }: StoredDigest,
): Promise<boolean> {
  if (key.purpose !== 'digest') return false;
  const secret = await unwrapDataKey(keyEncryptionKeys, key);
  return constantTimeEquals(digestKeySet([deriveKey(secret, 'digest')], true).digest(kind, value), digest);
}
