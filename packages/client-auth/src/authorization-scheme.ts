/** The most characters of an `Authorization` header that are looked at. */
const AUTHORIZATION_MAX_LENGTH = 8192;

const SCHEME_AND_CREDENTIALS = /^([A-Za-z]+) +([^ ]+)$/;

/**
 * What follows the scheme of an `Authorization` header, the scheme in any case of letters (RFC 9110 section 11.4).
 * Empty when nothing or more than one word follows, or the header is too long; `undefined` for another scheme.
 */
export function schemeCredentials(header: string, scheme: string): string | undefined {
  const name = header.slice(0, scheme.length).toLowerCase();
  const next = header.charAt(scheme.length);
  if (name !== scheme.toLowerCase() || /[!-~]/.test(next)) return undefined;
  if (header.length > AUTHORIZATION_MAX_LENGTH) return '';
  return SCHEME_AND_CREDENTIALS.exec(header)?.[2] ?? '';
}
