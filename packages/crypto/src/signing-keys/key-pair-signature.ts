import { constants, KeyObject, sign, verify } from 'node:crypto';
import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { SigningKey, VerificationKey } from '../jwt/jose-keys.js';

/** How Node signs with an algorithm, and which keys it accepts (RFC 7518 section 3, RFC 8037, RFC 9864). */
interface SignatureScheme {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  /** Curve name, for keys of type `ec`. */
  readonly curve?: string;
  /** `null` if the algorithm determines the digest. */
  readonly digest: string | null;
  readonly parameters: { padding?: number; saltLength?: number; dsaEncoding?: 'ieee-p1363' };
}

const MIN_RSA_BITS = 2048;

/** Returns the algorithm if it uses key pairs; `undefined` for any other. */
export function keyPairAlgorithm(algorithm: string): AsymmetricAlgorithm | undefined {
  return ASYMMETRIC_ALGORITHMS.find((candidate) => candidate === algorithm);
}

/**
 * Whether bytes were signed with the private half of a key. False also if the key is not one for the algorithm: Node
 * would otherwise derive the algorithm from the key and verify another kind of signature.
 */
export function isSignedWithKeyPair(
  { key }: VerificationKey,
  algorithm: AsymmetricAlgorithm,
  input: Uint8Array,
  signature: Uint8Array,
): boolean {
  const keyObject = platformKey(key);
  const scheme = SCHEMES[algorithm];
  return (
    fits(keyObject, scheme) &&
    verify(scheme.digest, input, { key: keyObject, ...scheme.parameters }, signature)
  );
}

/**
 * Signs bytes with the private half of a key.
 * @throws TypeError when the key is not one for the algorithm.
 */
export function signWithKeyPair(key: SigningKey, algorithm: AsymmetricAlgorithm, input: Uint8Array): Buffer {
  return sign(SCHEMES[algorithm].digest, input, signingParameters(key, algorithm));
}

/** Signs on another thread. Rejects as `signWithKeyPair` throws. */
export async function signWithKeyPairElsewhere(
  key: SigningKey,
  algorithm: AsymmetricAlgorithm,
  input: Uint8Array,
): Promise<Buffer> {
  const parameters = signingParameters(key, algorithm);
  return new Promise((resolve, reject) => {
    sign(SCHEMES[algorithm].digest, input, parameters, (error, signature) => {
      if (error === null) resolve(signature);
      else reject(error);
    });
  });
}

function signingParameters({ key }: SigningKey, algorithm: AsymmetricAlgorithm) {
  const keyObject = platformKey(key);
  const scheme = SCHEMES[algorithm];
  if (!fits(keyObject, scheme)) throw new TypeError('the signing key does not fit its algorithm');
  return { key: keyObject, ...scheme.parameters };
}

function platformKey(key: VerificationKey['key']): KeyObject {
  return key instanceof KeyObject ? key : KeyObject.from(key);
}

function fits(key: KeyObject, { keyType, curve }: SignatureScheme): boolean {
  if (key.asymmetricKeyType !== keyType) return false;
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return keyType === 'rsa' ? modulusLength >= MIN_RSA_BITS : namedCurve === curve;
}

function rsa(digest: string): SignatureScheme {
  return { keyType: 'rsa', digest, parameters: { padding: constants.RSA_PKCS1_PADDING } };
}

function rsaPss(digest: string): SignatureScheme {
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  return { keyType: 'rsa', digest, parameters: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } };
}

function ecdsa(digest: string, curve: string): SignatureScheme {
  return { keyType: 'ec', curve, digest, parameters: { dsaEncoding: 'ieee-p1363' } };
}

const ED25519: SignatureScheme = { keyType: 'ed25519', digest: null, parameters: {} };

const SCHEMES: Readonly<Record<AsymmetricAlgorithm, SignatureScheme>> = {
  RS256: rsa('sha256'),
  RS384: rsa('sha384'),
  RS512: rsa('sha512'),
  PS256: rsaPss('sha256'),
  PS384: rsaPss('sha384'),
  PS512: rsaPss('sha512'),
  ES256: ecdsa('sha256', 'prime256v1'),
  ES384: ecdsa('sha384', 'secp384r1'),
  ES512: ecdsa('sha512', 'secp521r1'),
  EdDSA: ED25519,
  Ed25519: ED25519,
};
