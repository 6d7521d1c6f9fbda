/** What a presented text can be, told from its syntax alone (RFC 7662 section 2.1: a hint is never trusted). */
export type TokenSyntax = 'jwt' | 'identifier' | 'impossible';

/** The fewest characters of an identifier-based token: 43 alphanumeric ones carry 256 bits. */
export const IDENTIFIER_TOKEN_MIN_LENGTH = 43;

/** The most characters of an identifier-based token. */
export const IDENTIFIER_TOKEN_MAX_LENGTH = 256;

/** The most characters of a self-contained token; with more it would not fit in the headers that servers accept. */
export const JWT_MAX_LENGTH = 8192;

// Ours are alphanumeric; authorisation servers that share the store may use the rest of the URL-safe alphabet.
const IDENTIFIER = /^[A-Za-z0-9_-]+$/;

// The one spelling of its bytes: no padding, no unused bits set in the last character (RFC 4648 section 3.5).
const BASE64URL =
  '(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])';

const COMPACT_JWS = new RegExp(`^${BASE64URL}\\.${BASE64URL}\\.${BASE64URL}$`);

/**
 * Tells the formats apart. A self-contained token is a strict compact JWS (RFC 7515 section 7.1), so that one
 * signature has one spelling; an identifier-based one is URL-safe text of a possible length. For anything else there
 * is nothing to look up.
 */
export function tokenSyntax(text: string): TokenSyntax {
  if (text.includes('.'))
    return text.length <= JWT_MAX_LENGTH && COMPACT_JWS.test(text) ? 'jwt' : 'impossible';
  const possible = text.length >= IDENTIFIER_TOKEN_MIN_LENGTH && text.length <= IDENTIFIER_TOKEN_MAX_LENGTH;
  return possible && IDENTIFIER.test(text) ? 'identifier' : 'impossible';
}
