/** Supported client authentication methods (RFC 7591 section 2, OpenID Connect Core section 9, RFC 8705). */
export const CLIENT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
] as const;

/** A value of `token_endpoint_auth_method`. */
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** `client_assertion_type` of a JWT client assertion (RFC 7523 section 2.2). */
export const JWT_BEARER_ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
