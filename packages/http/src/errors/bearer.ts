/** Result of reading a bearer token from an `Authorization` header (RFC 6750 section 2.1). */
export type Bearer =
  /** No header, or one of another scheme. */
  | { readonly kind: 'none' }
  /** The scheme is Bearer, but what follows is not a token. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'bearer'; readonly token: string };

/** Maximum token length in characters. The header limit of the server is higher. */
const MAX_TOKEN_LENGTH = 8192;

const NONE: Bearer = { kind: 'none' };
const MALFORMED: Bearer = { kind: 'malformed' };
const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Reads a bearer token: the scheme in any case, one or more spaces, then exactly a `b64token`. Never throws.
 * @see RFC 6750 section 2.1, RFC 9110 section 11.4
 */
export function parseBearer(header: string | undefined): Bearer {
  if (header === undefined) return NONE;
  const schemeEnd = header.indexOf(' ');
  const scheme = schemeEnd === -1 ? header : header.slice(0, schemeEnd);
  if (scheme.toLowerCase() !== 'bearer') return NONE;
  const token = schemeEnd === -1 ? '' : header.slice(schemeEnd).replace(/^ +/, '');
  return token.length <= MAX_TOKEN_LENGTH && B64TOKEN.test(token) ? { kind: 'bearer', token } : MALFORMED;
}
