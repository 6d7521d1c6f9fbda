declare const clientIdBrand: unique symbol;
declare const issuerBrand: unique symbol;

/**
 * A well-formed client identifier: 1 to 2,048 printable ASCII characters (RFC 6749 appendix A.1) without a space at
 * either end. Generated identifiers are alphanumeric, those of federation entities are URLs, and preset ones come from
 * another server.
 */
export type ClientId = string & { readonly [clientIdBrand]: true };

/** An issuer identifier: an absolute http(s) URL without query, fragment and trailing slash. */
export type Issuer = string & { readonly [issuerBrand]: true };

/** Maximum length of a client identifier, in characters. */
export const CLIENT_ID_MAX_LENGTH = 2048;

const CLIENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Parses a client identifier; `undefined` if no client can have it. */
export function parseClientId(value: unknown): ClientId | undefined {
  if (typeof value !== 'string' || value.length > CLIENT_ID_MAX_LENGTH || !CLIENT_ID.test(value))
    return undefined;
  return value as ClientId;
}

/**
 * Parses the issuer from a configured base URL.
 * @throws TypeError when it is not an absolute http(s) URL in its normal form, or contains credentials, a query or a
 *   fragment.
 */
export function parseIssuer(value: string): Issuer {
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('must be an http(s) URL');
  if (url.username !== '' || url.password !== '') throw new TypeError('must not contain credentials');
  if (value.includes('?') || value.includes('#')) throw new TypeError('must have no query and no fragment');
  const issuer = withoutEndSlashes(value);
  // Issuers are compared character by character, so one that URL parsers would rewrite could never match.
  if (issuer !== withoutEndSlashes(url.href))
    throw new TypeError('must be in its normal form: lower-case host, no default port, no dot segments');
  return issuer as Issuer;
}

function withoutEndSlashes(address: string): string {
  return address.replace(/\/+$/, '');
}
