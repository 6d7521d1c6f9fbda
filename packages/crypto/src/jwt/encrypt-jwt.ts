import type { ContentEncryptionAlgorithm } from '@vestibule/protocol/constants';
import { CompactEncrypt } from 'jose';
import { JoseFailure } from './jose-failure.js';
import type { EncryptionKey } from './jose-keys.js';

/** How to encrypt a signed JWT. */
export interface EncryptJwtOptions {
  readonly key: EncryptionKey;
  readonly encryption: ContentEncryptionAlgorithm;
}

/**
 * Encrypts a signed JWT: a nested JWT (RFC 7519 section 5.2) in compact serialization, never compressed.
 * @throws JoseFailure `key` when the key, which may be a client's, cannot be used.
 */
export async function encryptJwt(jwt: string, { key, encryption }: EncryptJwtOptions): Promise<string> {
  const kid = key.kid === undefined ? {} : { kid: key.kid };
  const header = { alg: key.algorithm, enc: encryption, cty: 'JWT', ...kid };
  try {
    return await new CompactEncrypt(Buffer.from(jwt)).setProtectedHeader(header).encrypt(key.key);
  } catch (cause) {
    throw new JoseFailure('key', 'cannot be encrypted to this key', cause);
  }
}
