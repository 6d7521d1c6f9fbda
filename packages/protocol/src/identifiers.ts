declare const clientIdBrand: unique symbol;
declare const issuerBrand: unique symbol;

/**
 * A well-formed client identifier: 1 to 2,048 printable ASCII characters (RFC 6749 appendix A.1) without a space at
 * either end. Generated identifiers are alphanumeric; those of federation entities are URLs; preset ones are what they
 * were at another server.
 */
export type ClientId = string & { readonly [clientIdBrand]: true };

/** An issuer identifier: an absolute http(s) URL without query and fragment, never ending in a slash. */
export type Issuer = string & { readonly [issuerBrand]: true };

/** The longest client identifier, in characters. */
export const CLIENT_ID_MAX_LENGTH = 2048;

const CLIENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The client identifier, or `undefined` when no client can have it. */
export function parseClientId(value: unknown): ClientId | undefined {
  if (typeof value !== 'string' || value.length > CLIENT_ID_MAX_LENGTH || !CLIENT_ID.test(value))
    return undefined;
  return value as ClientId;
}

/**
 * The issuer that a configured base address stands for.
 * @throws TypeError when it is not an absolute http(s) URL in its normal form, or carries credentials, a query or a
 * fragment.
 */
export function parseIssuer(value: string): Issuer {
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('must be an http(s) URL');
  if (url.username !== '' || url.password !== '') throw new TypeError('must not carry credentials');
  if (value.includes('?') || value.includes('#')) throw new TypeError('must have no query and no fragment');
  const issuer = withoutEndSlashes(value);
  // Issuers are compared letter by letter: one that every URL parser would rewrite could never match.
  if (issuer !== withoutEndSlashes(url.href))
    throw new TypeError(
      'must be spelt in its normal form: lower-case host, no default port, nothing to resolve',
    );
  return issuer as Issuer;
}

function withoutEndSlashes(address: string): string {
  return address.replace(/\/+$/, '');
}
