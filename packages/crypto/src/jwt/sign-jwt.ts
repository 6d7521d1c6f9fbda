import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { CompactSign } from 'jose';
import {
  keyPairAlgorithm,
  signWithKeyPair,
  signWithKeyPairElsewhere,
} from '../signing-keys/key-pair-signature.js';
import type { SigningKey } from './jose-keys.js';

/** Input of signing. */
export interface SignJwtInput {
  readonly key: SigningKey;
  /** `typ` header: the type of token (RFC 8725 section 3.11). */
  readonly typ: string;
  readonly claims: JsonObject;
}

/** Signs a JWT in compact serialization with the headers `alg`, `typ` and, if the key has one, `kid`. */
export async function signJwt({ key, typ, claims }: SignJwtInput): Promise<string> {
  const algorithm = keyPairAlgorithm(key.algorithm);
  if (algorithm === undefined)
    return new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader(headerOf(key, typ))
      .sign(key.key);
  const input = `${encodedHeader(key, typ)}.${encode(claims)}`;
  const bytes = Buffer.from(input, 'latin1');
  const signature = isSlow(algorithm)
    ? await signWithKeyPairElsewhere(key, algorithm, bytes)
    : signWithKeyPair(key, algorithm, bytes);
  return `${input}.${signature.toString('base64url')}`;
}

/**
 * RSA takes ten times as long as curves, so it signs on another thread. For curves, the thread switch would cost more
 * than signing.
 */
function isSlow(algorithm: AsymmetricAlgorithm): boolean {
  return algorithm.startsWith('RS') || algorithm.startsWith('PS');
}

/** Encoded headers by key and type: both are few, and live as long as the key. */
const encodedHeaders = new WeakMap<SigningKey, Map<string, string>>();

function encodedHeader(key: SigningKey, typ: string): string {
  const known = encodedHeaders.get(key);
  const found = known?.get(typ);
  if (found !== undefined) return found;
  const encoded = encode(headerOf(key, typ));
  encodedHeaders.set(key, (known ?? new Map<string, string>()).set(typ, encoded));
  return encoded;
}

function headerOf({ algorithm, kid }: SigningKey, typ: string) {
  return { alg: algorithm, typ, ...(kid === undefined ? {} : { kid }) };
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
