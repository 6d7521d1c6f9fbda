/** The grant types that Vestibule knows, by their registered names (RFC 7591 section 2). */
export const GRANT_TYPES = [
  'authorization_code',
  'implicit',
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
] as const;

/** A grant type that can be registered. */
export type GrantType = (typeof GRANT_TYPES)[number];

/** The grant types that anyone may register in open mode (Seed 1.2). */
export const OPEN_GRANT_TYPES = [
  'authorization_code',
  'implicit',
  'refresh_token',
] as const satisfies readonly GrantType[];

/** Whether a value is the registered name of a grant type that Vestibule knows. */
export function isGrantType(value: unknown): value is GrantType {
  return GRANT_TYPES.some((grantType) => grantType === value);
}
