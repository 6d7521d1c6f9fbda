import { sha256 } from '../sha256.js';

/** The members of a thumbprint by key type, in order (RFC 7638 section 3.2, RFC 8037 section 2). */
const MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
  ['RSA', ['e', 'kty', 'n']],
]);

/**
 * Returns the SHA-256 thumbprint of a parsed key with a public part, in base64url (RFC 7638). Other members, such as
 * `kid` and `alg`, make no difference.
 * @throws TypeError for another key type, and when a member is missing
 */
export function jwkThumbprint(jwk: Readonly<Record<string, unknown>>): string {
  const members = MEMBERS.get(jwk['kty']);
  if (members === undefined) throw new TypeError('a key of this type has no thumbprint');
  if (members.some((name) => typeof jwk[name] !== 'string')) throw new TypeError('the key lacks a member');
  const canonical = JSON.stringify(jwk, members.slice());
  return Buffer.from(sha256(canonical)).toString('base64url');
}
