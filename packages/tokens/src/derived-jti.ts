import { sha256 } from '@vestibule/crypto';

/** Characters of 128 bits in base64url. */
const DERIVED_JTI_LENGTH = 22;

/**
 * Derives a `jti` for a token without a verified `jti` of its own. It is always the same for the same token, active or
 * not, for every caller, and reveals neither the token nor the digest under which it is stored.
 */
export function derivedJti(text: string): string {
  return Buffer.from(sha256(`introspection jti\0${text}`))
    .toString('base64url')
    .slice(0, DERIVED_JTI_LENGTH);
}
