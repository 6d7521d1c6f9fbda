import type { JsonObject } from '@vestibule/protocol';
import { decodeClaims, decodeJws, type JoseHeader } from './compact-serialization.js';

declare const verifiedBrand: unique symbol;

/** A JWT whose signature nobody has checked; good for finding out whose key to check it with, and for nothing else. */
export interface UnverifiedJwt {
  readonly header: JoseHeader;
  readonly claims: JsonObject;
}

/**
 * A JWT whose signature was verified with a key of the expected algorithm, and whose kind is an expected one. Nothing
 * is known yet of its claims: times, issuer and audience are for the caller to check.
 */
export interface VerifiedJwt extends UnverifiedJwt {
  readonly [verifiedBrand]: true;
}

/**
 * Reads a signed JWT without verifying it.
 * @throws JoseFailure `too_long` or `malformed`.
 */
export function decodeUnverifiedJwt(token: string, maxLength: number): UnverifiedJwt {
  const { header, payload } = decodeJws(token, maxLength);
  return { header, claims: decodeClaims(payload) };
}

/** Whether a token has the five parts of an encrypted one (RFC 7516 section 9). */
export function isEncryptedJwt(token: string): boolean {
  return token.split('.', 6).length === 5;
}
