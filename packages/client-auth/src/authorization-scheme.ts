/** The most characters of an `Authorization` header that are looked at. */
export const AUTHORIZATION_MAX_LENGTH = 8192;

/** The schemes that callers use. */
export type AuthorizationScheme = 'basic' | 'bearer';

const SCHEMES: readonly AuthorizationScheme[] = ['basic', 'bearer'];

/**
 * The scheme that an `Authorization` header tries, in any case of letters (RFC 9110 section 11.1); `undefined` for
 * another one. Says nothing about what follows it.
 */
export function authorizationScheme(header: string): AuthorizationScheme | undefined {
  const end = header.search(/[ \t]/);
  const name = (end === -1 ? header : header.slice(0, end)).toLowerCase();
  return SCHEMES.find((scheme) => scheme === name);
}

/** What follows the scheme, without the spaces in between; `undefined` when nothing does or the header is too long. */
export function schemeCredentials(header: string): string | undefined {
  if (header.length > AUTHORIZATION_MAX_LENGTH) return undefined;
  return /^[A-Za-z]+ +([^ ]+)$/.exec(header)?.[1];
}
