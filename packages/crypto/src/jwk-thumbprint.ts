import type { JsonObject } from '@vestibule/protocol';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** The SHA-256 thumbprint of a public key that was read before, in base64url (RFC 7638). */
export function jwkThumbprint(jwk: JsonObject): Promise<string> {
  return calculateJwkThumbprint(jwk as JWK, 'sha256');
}
