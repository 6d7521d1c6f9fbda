import { sha256 } from '@vestibule/crypto';

/**
 * The subject by which an end-user of another provider is known here: the same for each login, and never that of an
 * end-user of another issuer. Only the pair of `iss` and `sub` identifies an end-user (OpenID Connect Core 1.0 section
 * 5.7).
 */
export function upstreamSubject(issuer: string, subject: string): string {
  return Buffer.from(sha256(JSON.stringify([issuer, subject]))).toString('base64url');
}
