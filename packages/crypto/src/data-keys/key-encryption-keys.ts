import { createHmac, type KeyObject } from 'node:crypto';
import type { RandomSource } from '@vestibule/protocol';
import { decodeBase64url } from '../jwt/decode-base64url.js';
import { secureRandom } from '../random.js';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import { deriveKey, KEY_BYTES } from './derive-key.js';

/** The key-encryption keys are missing, malformed, or not those that wrapped the data keys. Names no key. */
export class KeyEncryptionError extends Error {
  override readonly name = 'KeyEncryptionError';
}

/**
 * Wraps data keys. The key-encryption keys are kept outside the store: in the environment, a file, or a key service.
 */
export interface KeyEncryptionKeys {
  /** Id of the key that wraps; the others only unwrap. */
  readonly activeId: string;
  /** Encrypts a data key under the active key, bound to its context. */
  wrap(dataKey: Uint8Array, context: string): Promise<string>;
  /**
   * Decrypts a data key.
   * @throws KeyEncryptionError when there is no such key, or it did not wrap this text for this context.
   */
  unwrap(wrapped: string, keyEncryptionKeyId: string, context: string): Promise<Uint8Array>;
}

/** Fewer distinct byte values among 32 mean a placeholder, not randomness. */
const MIN_DISTINCT_BYTES = 16;

/** 64 bits distinguish the few keys of an installation. */
const ID_BYTES = 8;

/**
 * Parses configured keys: comma-separated, 32 bytes each in base64url or base64. The first one wraps, all unwrap. The
 * id of a key is a digest of it, so that keys need no names.
 * @throws KeyEncryptionError when there is no key, one is not 32 random bytes, or one is repeated.
 */
export function parseKeyEncryptionKeys(text: string, random: RandomSource = secureRandom): KeyEncryptionKeys {
  const keys = new Map<string, KeyObject>();
  for (const item of text.split(',')) {
    const secret = parseKey(item.trim());
    const id = keyId(secret);
    if (keys.has(id)) throw new KeyEncryptionError('a key-encryption key is repeated');
    keys.set(id, deriveKey(secret, 'key-encryption'));
  }
  return localKeyEncryptionKeys(keys, random);
}

function parseKey(text: string): Uint8Array {
  const secret = decodeBase64url(text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_'));
  if (secret?.length !== KEY_BYTES)
    throw new KeyEncryptionError('a key-encryption key must be 32 bytes in base64url or base64');
  if (new Set(secret).size < MIN_DISTINCT_BYTES)
    throw new KeyEncryptionError('a key-encryption key must be random');
  return secret;
}

function keyId(secret: Uint8Array): string {
  const digest = createHmac('sha256', deriveKey(secret, 'key-encryption-id')).digest();
  return digest.subarray(0, ID_BYTES).toString('base64url');
}

function localKeyEncryptionKeys(
  keys: ReadonlyMap<string, KeyObject>,
  random: RandomSource,
): KeyEncryptionKeys {
  const [first] = keys;
  if (first === undefined) throw new KeyEncryptionError('a key-encryption key is required');
  const [activeId, activeKey] = first;
  return {
    activeId,
    wrap: async (dataKey, context) => encryptGcm(activeKey, { plaintext: dataKey, context, random }),
    unwrap: async (wrapped, keyEncryptionKeyId, context) => {
      const key = keys.get(keyEncryptionKeyId);
      const dataKey = key && decryptGcm(key, wrapped, context);
      if (dataKey?.byteLength !== KEY_BYTES)
        throw new KeyEncryptionError('a data key is not wrapped under any of the key-encryption keys');
      return dataKey;
    },
  };
}
