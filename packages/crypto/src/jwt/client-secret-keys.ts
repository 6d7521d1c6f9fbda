import { createHash, createSecretKey } from 'node:crypto';
import {
  CONTENT_ENCRYPTION_ALGORITHMS,
  type ContentEncryptionAlgorithm,
  HMAC_ALGORITHMS,
  HMAC_MIN_SECRET_BYTES,
  type HmacAlgorithm,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import { JoseFailure } from './jose-failure.js';
import type { DecryptionKey, EncryptionKey, KeyHint, SigningKey, VerificationKey } from './jose-keys.js';

/** A JWE `alg` whose key is derived from the client secret. */
export type SymmetricKeyManagementAlgorithm = (typeof SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS)[number];

/** Whether a secret is long enough to key an HMAC algorithm (RFC 7518 section 3.2). */
export function isLongEnoughSecret(secret: string, algorithm: HmacAlgorithm): boolean {
  return Buffer.byteLength(secret) >= HMAC_MIN_SECRET_BYTES[algorithm];
}

/**
 * Returns the key that signs with a client secret.
 * @throws JoseFailure `key` when the secret is too short for the algorithm.
 */
export function secretSigningKey(secret: string, algorithm: HmacAlgorithm): SigningKey {
  if (!isLongEnoughSecret(secret, algorithm)) throw new JoseFailure('key', 'secret is too short');
  return { algorithm, key: createSecretKey(Buffer.from(secret)) };
}

/** Returns the keys that verify with client secrets, for the secrets that are long enough for the algorithm. */
export function secretVerificationKeys(
  secrets: readonly string[],
  { alg }: Pick<KeyHint, 'alg'>,
): readonly VerificationKey[] {
  const algorithm = HMAC_ALGORITHMS.find((candidate) => candidate === alg);
  if (algorithm === undefined) return [];
  return secrets
    .filter((secret) => isLongEnoughSecret(secret, algorithm))
    .map((secret) => secretSigningKey(secret, algorithm));
}

/** A key that encrypts and decrypts with a client secret. */
export type SecretEncryptionKey = EncryptionKey & DecryptionKey;

/**
 * Derives the encryption key of OpenID Connect Core section 10.2 from a client secret: the left-most bits of its
 * SHA-256, SHA-384 or SHA-512 digest, whichever is the first that is long enough.
 */
export function secretEncryptionKey(
  secret: string,
  algorithm: SymmetricKeyManagementAlgorithm,
  encryption: ContentEncryptionAlgorithm,
): SecretEncryptionKey {
  const length = algorithm === 'dir' ? CONTENT_KEY_BYTES[encryption] : KEY_WRAPPING_BYTES[algorithm];
  const digest = createHash(digestOfAtLeast(length)).update(secret).digest();
  return { algorithm, key: createSecretKey(digest.subarray(0, length)) };
}

function digestOfAtLeast(bytes: number): string {
  if (bytes <= 32) return 'sha256';
  return bytes <= 48 ? 'sha384' : 'sha512';
}

const CONTENT_KEY_BYTES: Readonly<Record<ContentEncryptionAlgorithm, number>> = {
  'A128CBC-HS256': 32,
  'A192CBC-HS384': 48,
  'A256CBC-HS512': 64,
  A128GCM: 16,
  A192GCM: 24,
  A256GCM: 32,
};

const KEY_WRAPPING_BYTES: Readonly<Record<Exclude<SymmetricKeyManagementAlgorithm, 'dir'>, number>> = {
  A128KW: 16,
  A192KW: 24,
  A256KW: 32,
  A128GCMKW: 16,
  A192GCMKW: 24,
  A256GCMKW: 32,
};

/** Returns the keys that decrypt with client secrets; none if the token's algorithm does not use them. */
export function secretDecryptionKeys(
  secrets: readonly string[],
  hint: { readonly alg: string; readonly enc: string },
): readonly DecryptionKey[] {
  const algorithm = SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS.find((candidate) => candidate === hint.alg);
  const encryption = CONTENT_ENCRYPTION_ALGORITHMS.find((candidate) => candidate === hint.enc);
  if (algorithm === undefined || encryption === undefined) return [];
  return secrets.map((secret) => secretEncryptionKey(secret, algorithm, encryption));
}
