import type { JsonObject } from '@vestibule/protocol/json';
import { decodeClaims, decodeJws, type JoseHeader } from './compact-serialization.js';

declare const verifiedBrand: unique symbol;

/** A JWT whose signature has not been verified. Use it only to find the key to verify it with. */
export interface UnverifiedJwt {
  readonly header: JoseHeader;
  readonly claims: JsonObject;
}

/**
 * A JWT whose signature was verified with a key of the expected algorithm, and whose type is an expected one. Its
 * claims are not checked: the caller must check times, issuer and audience.
 */
export interface VerifiedJwt extends UnverifiedJwt {
  readonly [verifiedBrand]: true;
}

/**
 * Parses a signed JWT without verifying it.
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
