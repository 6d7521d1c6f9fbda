import type { JsonObject } from '@vestibule/protocol/json';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** Returns the SHA-256 thumbprint of a parsed public key, in base64url (RFC 7638). */
export function jwkThumbprint(jwk: JsonObject): Promise<string> {
  return calculateJwkThumbprint(jwk as JWK, 'sha256');
}
