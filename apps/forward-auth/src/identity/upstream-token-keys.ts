import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningKey } from '@vestibule/crypto/jwt';
import { jwkThumbprint } from '@vestibule/crypto/public-keys';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';

/** Keys that sign tokens for upstreams. */
export interface UpstreamTokenKeys {
  /** The first key of the setting, which signs. */
  readonly signing: SigningKey;
  /** The public parts of all keys as a JWK set (RFC 7517 section 5). */
  readonly published: { readonly keys: readonly JsonObject[] };
}

/** A private key, and the algorithm that it signs with. */
export interface PrivateKey {
  readonly key: KeyObject;
  readonly algorithm: AsymmetricAlgorithm;
}

const PEM = /-----BEGIN (?:EC )?PRIVATE KEY-----[^-]+-----END (?:EC )?PRIVATE KEY-----/g;
/** The begin of any object in PEM. */
const BEGIN = /-----BEGIN/g;

/**
 * Parses private keys in PEM, on the curves P-256 (ES256) and Ed25519 (EdDSA).
 * @returns `undefined` if there is none, or anything else in PEM
 */
export function parsePrivateKeys(pem: string): readonly PrivateKey[] | undefined {
  const keys = (pem.match(PEM) ?? []).map(parsePrivateKey);
  const known = keys.filter((key) => key !== undefined);
  const all = pem.match(BEGIN)?.length ?? 0;
  return known.length > 0 && known.length === all ? known : undefined;
}

function parsePrivateKey(pem: string): PrivateKey | undefined {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return { key, algorithm: 'EdDSA' };
    const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return isP256 ? { key, algorithm: 'ES256' } : undefined;
  } catch {
    return undefined;
  }
}

/** Prepares parsed keys; their `kid` is the thumbprint of the public key (RFC 7638). */
export function upstreamTokenKeys(keys: readonly PrivateKey[]): UpstreamTokenKeys | undefined {
  const [first] = keys;
  if (first === undefined) return undefined;
  return {
    signing: { algorithm: first.algorithm, key: first.key, kid: String(publicJwk(first)['kid']) },
    published: { keys: keys.map(publicJwk) },
  };
}

function publicJwk({ key, algorithm }: PrivateKey): JsonObject {
  const { kty = '', crv = '', x = '', y } = createPublicKey(key).export({ format: 'jwk' });
  const material = { kty, crv, x, ...(y !== undefined && { y }) };
  return { ...material, kid: jwkThumbprint(material), use: 'sig', alg: algorithm };
}
