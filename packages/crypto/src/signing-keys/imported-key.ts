import { createPrivateKey, createPublicKey } from 'node:crypto';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Encryptor } from '../data-keys/encryptor.js';
import type { DecryptionKey, SigningKey, VerificationKey } from '../jwt/jose-keys.js';
import { KEY_PAIR_ENCRYPTION_ALGORITHMS, openPrivateJwk } from './key-pair.js';
import type { StoredSigningKey } from './signing-key-store.js';

/** A stored key pair, imported. */
export interface ImportedKey {
  readonly stored: StoredSigningKey;
  /** The public JWK to publish. */
  readonly published: JWK;
  /** Only while the key is active; other private keys need not be in memory. */
  readonly signing?: SigningKey;
  readonly verification?: VerificationKey;
  readonly decryption?: DecryptionKey;
}

/**
 * Imports a stored key pair, reusing an earlier import, since key pairs never change.
 * @throws DecryptionError when the private key is needed but cannot be decrypted.
 */
export async function importStoredKey(
  encryptor: Encryptor,
  stored: StoredSigningKey,
  known: ImportedKey | undefined,
): Promise<ImportedKey> {
  const published = publicMembers(stored);
  if (stored.use === 'enc') {
    const decryption = known?.decryption ?? (await importDecryption(encryptor, stored));
    return { stored, published, decryption };
  }
  const verification = known?.verification ?? importVerification(stored);
  if (stored.state !== 'active') return { stored, published, verification };
  return {
    stored,
    published,
    verification,
    signing: known?.signing ?? (await importSigning(encryptor, stored)),
  };
}

async function importSigning(encryptor: Encryptor, stored: StoredSigningKey): Promise<SigningKey> {
  const algorithm = signingAlgorithm(stored);
  return {
    algorithm,
    kid: stored.kid,
    key: createPrivateKey({ key: { ...(await openPrivateJwk(encryptor, stored)) }, format: 'jwk' }),
  };
}

function importVerification(stored: StoredSigningKey): VerificationKey {
  const key = createPublicKey({ key: { ...publicMembers(stored) }, format: 'jwk' });
  return { algorithm: signingAlgorithm(stored), key };
}

async function importDecryption(encryptor: Encryptor, stored: StoredSigningKey): Promise<DecryptionKey> {
  const algorithm = KEY_PAIR_ENCRYPTION_ALGORITHMS.find((candidate) => candidate === stored.algorithm);
  if (algorithm === undefined) throw new Error('a stored key is for an unknown encryption algorithm');
  return { algorithm, key: await importDecryptionKey(await openPrivateJwk(encryptor, stored), algorithm) };
}

function signingAlgorithm({ algorithm }: StoredSigningKey) {
  const known = ASYMMETRIC_ALGORITHMS.find((candidate) => candidate === algorithm);
  if (known === undefined) throw new Error('a stored key is for an unknown signing algorithm');
  return known;
}

async function importDecryptionKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error('a stored key is symmetric');
  return key;
}

/** Selects the publishable members one by one, so that nothing else of a stored row is published. */
function publicMembers({ publicJwk, kid, use, algorithm }: StoredSigningKey): JWK {
  const { kty, n, e, crv, x, y } = publicJwk;
  const material = Object.fromEntries(
    Object.entries({ n, e, crv, x, y }).filter(([, value]) => value !== undefined),
  );
  return { ...(kty === undefined ? {} : { kty }), ...material, kid, use, alg: algorithm };
}
