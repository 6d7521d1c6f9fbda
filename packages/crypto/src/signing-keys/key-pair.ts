import { type Clock, nowSeconds } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Encryptor } from '../data-keys/encryptor.js';
import { jwkThumbprint } from '../public-keys/jwk-thumbprint.js';
import type { KeySetName, StoredSigningKey } from './signing-key-store.js';

/** Key management algorithms for which the server has key pairs. */
export const KEY_PAIR_ENCRYPTION_ALGORITHMS = ['RSA-OAEP-256', 'ECDH-ES'] as const;

/** A key management algorithm for which the server has key pairs. */
export type KeyPairEncryptionAlgorithm = (typeof KEY_PAIR_ENCRYPTION_ALGORITHMS)[number];

/** Purpose of a key pair of the server: one algorithm in one key set. */
export type KeyPairPurpose = { readonly keySet: KeySetName } & (
  | { readonly use: 'sig'; readonly algorithm: AsymmetricAlgorithm }
  | { readonly use: 'enc'; readonly algorithm: KeyPairEncryptionAlgorithm }
);

/**
 * Generates a key pair: RSA with 2,048 bits, or the curve of the algorithm (P-256 for ECDH-ES). Its `kid` is the
 * thumbprint of the public key (RFC 7638). The private key is encrypted and never stored in plain text.
 */
export async function createKeyPair(
  { encryptor, clock }: { readonly encryptor: Encryptor; readonly clock: Clock },
  { keySet, use, algorithm }: KeyPairPurpose,
  state: 'pending' | 'active',
): Promise<StoredSigningKey> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
  const kid = jwkThumbprint(publicJwk);
  const now = nowSeconds(clock);
  return {
    kid,
    keySet,
    use,
    algorithm,
    state,
    publicJwk: { ...publicJwk, kid, use, alg: algorithm },
    privateJwkEncrypted: await encryptor.encrypt(JSON.stringify(privateJwk), associatedDataOf(kid)),
    createdAt: now,
    ...(state === 'active' ? { activatedAt: now } : {}),
  };
}

/**
 * Decrypts the private JWK of a stored key pair, with `kid`, `use` and `alg`.
 * @throws DecryptionError when it cannot be decrypted.
 */
export async function openPrivateJwk(encryptor: Encryptor, key: StoredSigningKey): Promise<JWK> {
  const privateJwk: JWK = JSON.parse(
    await encryptor.open(key.privateJwkEncrypted, associatedDataOf(key.kid)),
  );
  return { ...privateJwk, kid: key.kid, use: key.use, alg: key.algorithm };
}

function associatedDataOf(kid: string) {
  return { table: 'signing_key', column: 'private_jwk_sealed', row: kid };
}
