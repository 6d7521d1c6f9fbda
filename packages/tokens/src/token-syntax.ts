/** What a text can be by its syntax (RFC 7662 section 2.1: a hint is never trusted). */
export type TokenSyntax = 'jwt' | 'identifier' | 'impossible';

/** Fewest characters of an identifier-based token: 43 alphanumeric characters contain 256 bits. */
export const IDENTIFIER_TOKEN_MIN_LENGTH = 43;

/** Most characters of an identifier-based token. */
export const IDENTIFIER_TOKEN_MAX_LENGTH = 256;

/** Most characters of a self-contained token; a longer one would exceed the header limits of servers. */
export const JWT_MAX_LENGTH = 8192;

// Our tokens are alphanumeric; authorization servers that share the store may use the whole URL-safe alphabet.
const IDENTIFIER = /^[A-Za-z0-9_-]+$/;

// Canonical base64url: no padding, no unused bits set in the last character (RFC 4648 section 3.5).
const BASE64URL =
  '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])';

const COMPACT_JWS = new RegExp(`^${BASE64URL}\\.${BASE64URL}\\.${BASE64URL}$`);

/**
 * Determines the format of a token. A self-contained token is a strict compact JWS (RFC 7515 section 7.1), so that a
 * signature has one encoding; an identifier-based token is URL-safe text of a permitted length. Any other text is
 * `impossible` and needs no lookup.
 */
export function tokenSyntax(text: string): TokenSyntax {
  if (text.includes('.'))
    return text.length <= JWT_MAX_LENGTH && COMPACT_JWS.test(text) ? 'jwt' : 'impossible';
  const possible = text.length >= IDENTIFIER_TOKEN_MIN_LENGTH && text.length <= IDENTIFIER_TOKEN_MAX_LENGTH;
  return possible && IDENTIFIER.test(text) ? 'identifier' : 'impossible';
}
