import { X509Certificate } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol/json';
import type { PublicJwkSet } from './public-jwk-set.js';

/** Whether a key set has a readable certificate: the first one in the `x5c` of a key (RFC 7517 section 4.7). */
export function hasCertificate({ keys }: PublicJwkSet): boolean {
  return keys.some(isCertified);
}

function isCertified({ x5c }: JsonObject): boolean {
  const first: unknown = Array.isArray(x5c) ? x5c[0] : undefined;
  if (typeof first !== 'string') return false;
  try {
    return new X509Certificate(Buffer.from(first, 'base64')).raw.length > 0;
  } catch {
    return false;
  }
}
