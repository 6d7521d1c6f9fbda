import type { JsonObject } from '@vestibule/protocol';
import { CompactSign } from 'jose';
import type { SigningKey } from './jose-keys.js';

/** What is signed, and how. */
export interface SignJwtInput {
  readonly key: SigningKey;
  /** The kind of token, for the `typ` header (RFC 8725 section 3.11). */
  readonly typ: string;
  readonly claims: JsonObject;
}

/** A JWT in compact serialization with the headers `alg`, `typ` and, where the key has one, `kid`. */
export function signJwt({ key, typ, claims }: SignJwtInput): Promise<string> {
  const header = { alg: key.algorithm, typ, ...(key.kid === undefined ? {} : { kid: key.kid }) };
  return new CompactSign(Buffer.from(JSON.stringify(claims))).setProtectedHeader(header).sign(key.key);
}
