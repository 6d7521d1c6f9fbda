import { readFileSync } from 'node:fs';
import { type PublicJwkSetResult, parseJwksText } from '@vestibule/crypto/public-keys';

/** Where a JWK set lies: in a file, or at a URL. */
export type JwksLocation =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL };

/** Maximum size of a JWK set, in bytes: 64 KiB. */
export const JWKS_MAX_BYTES = 65_536;

/** The result for a file that cannot be read. */
export const UNREADABLE_JWKS_FILE: PublicJwkSetResult = { ok: false, reason: 'the file cannot be read' };

/** Reads a JWK set of public keys from a file, at startup. */
export function readJwksFileSync(path: string): PublicJwkSetResult {
  try {
    return parseJwksBytes(readFileSync(path));
  } catch {
    return UNREADABLE_JWKS_FILE;
  }
}

/** Parses the content of a file with a JWK set of public keys. */
export function parseJwksBytes(bytes: Buffer): PublicJwkSetResult {
  return bytes.length > JWKS_MAX_BYTES
    ? { ok: false, reason: `the file has more than ${JWKS_MAX_BYTES} bytes` }
    : parseJwksText(bytes.toString('utf8'));
}
