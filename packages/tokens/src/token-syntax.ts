/** What a text can be by its syntax (RFC 7662 section 2.1: a hint is never trusted). */
export type TokenSyntax = 'jwt' | 'identifier' | 'impossible';

/**
 * Fewest characters of an identifier-based token: 22 URL-safe characters can contain 128 bits, the least for a token
 * that cannot be guessed (RFC 6749 section 10.10).
 */
export const IDENTIFIER_TOKEN_MIN_LENGTH = 22;

/** Most characters of an identifier-based token. */
export const IDENTIFIER_TOKEN_MAX_LENGTH = 1024;

/** Most characters of a self-contained token; a longer one would exceed the header limits of servers. */
export const JWT_MAX_LENGTH = 8192;

// Our tokens are alphanumeric; those of other authorization servers may have any characters of a bearer token (RFC 6750
// section 2.1), and one dot, since some have two parts.
const IDENTIFIER = /^[A-Za-z0-9_~+/-]+(?:\.[A-Za-z0-9_~+/-]+)?=*$/;

// Canonical base64url: no padding, no unused bits set in the last character (RFC 4648 section 3.5).
const BASE64URL =
  '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])';

const COMPACT_JWS = new RegExp(`^${BASE64URL}\\.${BASE64URL}\\.${BASE64URL}$`);

/**
 * Determines the format of a token. A self-contained token is a strict compact JWS (RFC 7515 section 7.1), so that a
 * signature has one encoding; an identifier-based token is the text of a bearer token with a permitted length and at
 * most one dot. Any other text is `impossible` and needs no lookup.
 */
export function tokenSyntax(text: string): TokenSyntax {
  if (text.includes('.') && text.length <= JWT_MAX_LENGTH && COMPACT_JWS.test(text)) return 'jwt';
  const possible = text.length >= IDENTIFIER_TOKEN_MIN_LENGTH && text.length <= IDENTIFIER_TOKEN_MAX_LENGTH;
  return possible && IDENTIFIER.test(text) ? 'identifier' : 'impossible';
}
