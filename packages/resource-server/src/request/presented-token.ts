import type { ResourceRequest } from './resource-request.js';

/** How an access token is presented. */
export type TokenScheme = 'Bearer' | 'DPoP';

/** The credentials of a request. */
export type PresentedToken =
  | { readonly kind: 'none' }
  /** Several `Authorization` headers: it is not clear which one counts. */
  | { readonly kind: 'ambiguous' }
  /** The scheme is one of ours, and what follows cannot be a token. */
  | { readonly kind: 'malformed'; readonly scheme: TokenScheme }
  | { readonly kind: 'token'; readonly scheme: TokenScheme; readonly token: string };

/** Maximum length of the header, in characters. */
const MAX_HEADER_LENGTH = 8_192;

/** Maximum length of a token in the form of an introspection request; endpoints accept 16,384 bytes of form. */
const MAX_ENCODED_LENGTH = 16_000;

/** b64token of RFC 6750 section 2.1, which is token68 of RFC 9110 section 11.2. */
const SCHEME_AND_TOKEN = /^(bearer|dpop) +([\w.~+/-]+=*)$/i;

const SCHEME_ONLY = /^(bearer|dpop)(?: |$)/i;

const NONE: PresentedToken = { kind: 'none' };
const AMBIGUOUS: PresentedToken = { kind: 'ambiguous' };

/**
 * Reads the access token of a request from its `Authorization` header, with the scheme Bearer (RFC 6750 section 2.1) or
 * DPoP (RFC 9449 section 7.1) in any case. Tokens in the query or in a form are ignored: logs record them.
 */
export function presentedToken(request: Pick<ResourceRequest, 'header'>): PresentedToken {
  const header = request.header('authorization');
  if (header === undefined) return NONE;
  if (typeof header !== 'string') return header.length > 1 ? AMBIGUOUS : parseCredentials(header[0] ?? '');
  return parseCredentials(header);
}

function parseCredentials(header: string): PresentedToken {
  const parts = header.length <= MAX_HEADER_LENGTH ? SCHEME_AND_TOKEN.exec(header) : null;
  const token = parts?.[2];
  if (token !== undefined && isSendable(token)) return { kind: 'token', scheme: schemeOf(parts?.[1]), token };
  const scheme = SCHEME_ONLY.exec(header.slice(0, 8))?.[1];
  return scheme === undefined ? NONE : { kind: 'malformed', scheme: schemeOf(scheme) };
}

function schemeOf(text = ''): TokenScheme {
  return text.length === 4 ? 'DPoP' : 'Bearer';
}

function isSendable(token: string): boolean {
  return token.length * 3 <= MAX_ENCODED_LENGTH || encodeURIComponent(token).length <= MAX_ENCODED_LENGTH;
}
