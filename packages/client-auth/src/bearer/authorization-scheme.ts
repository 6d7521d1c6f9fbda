/** Maximum length of an `Authorization` header, in characters. */
const AUTHORIZATION_MAX_LENGTH = 8192;

const SCHEME_AND_CREDENTIALS = /^([A-Za-z]+) +([^ ]+)$/;

/**
 * Returns the credentials after the scheme of an `Authorization` header; the scheme is case-insensitive (RFC 9110
 * section 11.4). Empty if there are none, if there are several words, or if the header is too long; `undefined` for
 * another scheme.
 */
export function schemeCredentials(header: string, scheme: string): string | undefined {
  const name = header.slice(0, scheme.length).toLowerCase();
  const next = header.charAt(scheme.length);
  if (name !== scheme.toLowerCase() || /[!-~]/.test(next)) return undefined;
  if (header.length > AUTHORIZATION_MAX_LENGTH) return '';
  return SCHEME_AND_CREDENTIALS.exec(header)?.[2] ?? '';
}
