import {
  ASYMMETRIC_ALGORITHMS,
  type ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
  type AsymmetricAlgorithm,
} from '@vestibule/protocol/constants';
import { type CryptoKey, importJWK } from 'jose';
import { JoseFailure } from '../jwt/jose-failure.js';
import type { EncryptionKey, KeyHint, VerificationKey, VerificationKeySource } from '../jwt/jose-keys.js';
import { jwkThumbprint } from './jwk-thumbprint.js';
import type { UsableJwk } from './public-jwk.js';
import type { PublicJwkSet } from './public-jwk-set.js';

/** A key of a published set that verifies one algorithm. */
export interface PublishedKey extends VerificationKey {
  /** The thumbprint of the key (RFC 7638). */
  readonly thumbprint: string;
}

/** A JWE `alg` with an asymmetric key. */
export type AsymmetricKeyManagementAlgorithm = (typeof ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS)[number];

/** Whether a key set has a key that verifies an algorithm, with the given `kid` if there is one. */
export function hasVerificationKey(
  jwks: PublicJwkSet,
  algorithm: AsymmetricAlgorithm,
  kid?: string,
): boolean {
  return namedKeys(jwks, kid).some((jwk) => isVerificationKey(jwk, algorithm));
}

/** Counts the keys of a set that verify signatures of some algorithm. */
export function countVerificationKeys({ usableKeys }: PublicJwkSet): number {
  const mayVerify = (jwk: UsableJwk) =>
    ASYMMETRIC_ALGORITHMS.some((algorithm) => isVerificationKey(jwk, algorithm));
  return usableKeys.filter(mayVerify).length;
}

/** Whether a key set has a key to encrypt to. */
export function hasEncryptionKey(jwks: PublicJwkSet, algorithm: AsymmetricKeyManagementAlgorithm): boolean {
  return jwks.usableKeys.some((jwk) => isEncryptionKey(jwk, algorithm));
}

/**
 * Selects the keys of a set that may verify a token: of the right type, curve and use, and with the token's `kid` if it
 * has one. None for an algorithm without public keys.
 * @throws JoseFailure `key` when a key cannot be imported.
 */
export async function selectVerificationKeys(
  jwks: PublicJwkSet,
  { alg, kid }: KeyHint,
): Promise<readonly PublishedKey[]> {
  const algorithm = ASYMMETRIC_ALGORITHMS.find((candidate) => candidate === alg);
  if (algorithm === undefined) return [];
  const suitable = namedKeys(jwks, kid).filter((jwk) => isVerificationKey(jwk, algorithm));
  return Promise.all(suitable.map(async (jwk) => ({ algorithm, ...(await importFor(jwk, algorithm)) })));
}

/** Creates a key source that selects from a set as {@link selectVerificationKeys}. */
export function verificationKeysIn(jwks: PublicJwkSet): VerificationKeySource {
  return (hint) => selectVerificationKeys(jwks, hint);
}

/**
 * Selects the first key of a set to encrypt to; `undefined` if there is none.
 * @throws JoseFailure `key` when it cannot be imported.
 */
export async function selectEncryptionKey(
  jwks: PublicJwkSet,
  algorithm: AsymmetricKeyManagementAlgorithm,
): Promise<EncryptionKey | undefined> {
  const jwk = jwks.usableKeys.find((candidate) => isEncryptionKey(candidate, algorithm));
  if (jwk === undefined) return undefined;
  const kid = jwk.kid === undefined ? {} : { kid: jwk.kid };
  const { key } = await importFor(jwk, algorithm);
  return { algorithm, key, ...kid };
}

function namedKeys({ usableKeys }: PublicJwkSet, kid: string | undefined): readonly UsableJwk[] {
  return kid === undefined ? usableKeys : usableKeys.filter((jwk) => jwk.kid === kid);
}

function isVerificationKey(jwk: UsableJwk, algorithm: AsymmetricAlgorithm): boolean {
  const mayVerify = jwk.keyOperations === undefined || jwk.keyOperations.includes('verify');
  return mayVerify && isMeantFor(jwk, 'sig', algorithm) && isOfSigningType(jwk, algorithm);
}

function isEncryptionKey(jwk: UsableJwk, algorithm: AsymmetricKeyManagementAlgorithm): boolean {
  if (!isMeantFor(jwk, 'enc', algorithm)) return false;
  const operations = jwk.keyOperations;
  if (jwk.material.kty === 'RSA')
    return (
      algorithm.startsWith('RSA-OAEP') &&
      (operations === undefined || operations.includes('wrapKey') || operations.includes('encrypt'))
    );
  // A public key for key agreement has no operation of its own (RFC 7517 section 4.3).
  return algorithm.startsWith('ECDH-ES') && jwk.material.kty === 'EC';
}

function isMeantFor(jwk: UsableJwk, use: 'sig' | 'enc', algorithm: string): boolean {
  return (jwk.use === undefined || jwk.use === use) && (jwk.alg === undefined || jwk.alg === algorithm);
}

const SIGNING_CURVES: Readonly<Record<string, string>> = {
  ES256: 'P-256',
  ES384: 'P-384',
  ES512: 'P-521',
  EdDSA: 'Ed25519',
  Ed25519: 'Ed25519',
};

function isOfSigningType({ material }: UsableJwk, algorithm: AsymmetricAlgorithm): boolean {
  return material.kty === 'RSA' ? /^[RP]S/.test(algorithm) : SIGNING_CURVES[algorithm] === material.crv;
}

/** A key that was imported for one algorithm. */
interface ImportedJwk {
  readonly key: CryptoKey;
  readonly thumbprint: string;
}

/** Imported keys by JWK and algorithm, so that a cached key set is imported once. */
const imported = new WeakMap<UsableJwk, Map<string, ImportedJwk>>();

async function importFor(jwk: UsableJwk, algorithm: string): Promise<ImportedJwk> {
  const byAlgorithm = imported.get(jwk) ?? new Map<string, ImportedJwk>();
  imported.set(jwk, byAlgorithm);
  const known = byAlgorithm.get(algorithm);
  if (known !== undefined) return known;
  const key = { key: await importMaterial(jwk, algorithm), thumbprint: jwkThumbprint(jwk.material) };
  byAlgorithm.set(algorithm, key);
  return key;
}

async function importMaterial({ material }: UsableJwk, algorithm: string): Promise<CryptoKey> {
  try {
    return await importJWK(material, algorithm);
  } catch (cause) {
    throw new JoseFailure('key', 'a public key cannot be used', cause);
  }
}
