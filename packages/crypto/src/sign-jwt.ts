import type { AsymmetricAlgorithm, JsonObject } from '@vestibule/protocol';
import { CompactSign } from 'jose';
import type { SigningKey } from './jose-keys.js';
import { keyPairAlgorithm, signWithKeyPair } from './key-pair-signature.js';

/** What is signed, and how. */
export interface SignJwtInput {
  readonly key: SigningKey;
  /** The kind of token, for the `typ` header (RFC 8725 section 3.11). */
  readonly typ: string;
  readonly claims: JsonObject;
}

/** A JWT in compact serialization with the headers `alg`, `typ` and, where the key has one, `kid`. */
export async function signJwt({ key, typ, claims }: SignJwtInput): Promise<string> {
  const header = { alg: key.algorithm, typ, ...(key.kid === undefined ? {} : { kid: key.kid }) };
  const algorithm = keyPairAlgorithm(key.algorithm);
  if (algorithm === undefined || isSlow(algorithm))
    return new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader(header).sign(key.key);
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signWithKeyPair(key, algorithm, Buffer.from(input, 'latin1')).toString('base64url')}`;
}

/** RSA signs ten times as long as curves do: it goes to another thread, which costs more than all of the others take. */
function isSlow(algorithm: AsymmetricAlgorithm): boolean {
  return algorithm.startsWith('RS') || algorithm.startsWith('PS');
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
