/** Supported grant types, by their registered names (RFC 7591 section 2). */
export const GRANT_TYPES = [
  'authorization_code',
  'implicit',
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
] as const;

/** An extension grant type, named by a URI (RFC 6749 section 4.5). */
export type ExtensionGrantType = `urn:${string}` | `https://${string}` | `http://${string}`;

/** A grant type that can be registered. */
export type GrantType = (typeof GRANT_TYPES)[number] | ExtensionGrantType;

/** The grant types that anyone may register in open mode (registration/API.md#modes). */
export const OPEN_GRANT_TYPES = [
  'authorization_code',
  'implicit',
  'refresh_token',
] as const satisfies readonly GrantType[];

const EXTENSION_URI = /^(?:urn:[A-Za-z0-9][A-Za-z0-9-]{1,31}:|https?:\/\/)[A-Za-z0-9._~:/?&=+%@!$'()*;-]+$/;

/** Maximum length of an extension grant type, in characters. */
const MAX_EXTENSION_LENGTH = 200;

/** Whether a value is a supported grant type or has the form of an extension grant type. */
export function isGrantType(value: unknown): value is GrantType {
  return isKnownGrantType(value) || isExtensionGrantType(value);
}

/**
 * Whether a value has the form of an extension grant type: a URN or an http(s) URL that is not a supported grant type.
 */
export function isExtensionGrantType(value: unknown): value is ExtensionGrantType {
  if (typeof value !== 'string' || value.length > MAX_EXTENSION_LENGTH) return false;
  return EXTENSION_URI.test(value) && !isKnownGrantType(value);
}

function isKnownGrantType(value: unknown): value is (typeof GRANT_TYPES)[number] {
  return GRANT_TYPES.some((grantType) => grantType === value);
}
