import { type ErrorPresenter, jsonError, safeDescription } from './error-table.js';

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

/** Parameters of a Bearer challenge. */
export interface BearerChallenge {
  /** Error code of RFC 6750 section 3.1; absent if the request had no token. */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
}

/**
 * Presents a JSON error with `WWW-Authenticate: Bearer` (registration/API.md#errors). With an `error`, the challenge
 * contains the error and the description, separated by commas (RFC 9110 section 11.6.1), and the required scope if the
 * failure names one. Without an `error`, only the body says what is missing.
 */
export function bearerChallenge(status: number, { error }: BearerChallenge = {}): ErrorPresenter {
  const inJson = jsonError(status, error);
  return (failure) => {
    const { description, scope } = failure;
    const params: string[] = [];
    if (error !== undefined) params.push(param('error', error), param('error_description', description));
    if (error !== undefined && scope !== undefined) params.push(param('scope', scope));
    const challenge = params.length === 0 ? 'Bearer' : `Bearer ${params.join(', ')}`;
    const response = inJson(failure);
    return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } };
  };
}

function param(name: string, value: string): string {
  return `${name}="${safeDescription(value)}"`;
}
