/**
 * All error codes of the product. The type is closed: a new code compiles only after every route group has defined its
 * response. Codes with a registered wire name use it (RFC 6749, 6750, 7591, OpenID Federation 1.0).
 */
export const ERROR_CODES = [
  /** Malformed request: syntax, media type, size, a missing or repeated parameter. */
  'invalid_request',
  /** A redirect URI is not acceptable (RFC 7591 section 3.2.2). */
  'invalid_redirect_uri',
  /** Another metadata member is not acceptable (RFC 7591 section 3.2.2). */
  'invalid_client_metadata',
  /** The software statement cannot be verified (RFC 7591 section 3.2.2). */
  'invalid_software_statement',
  /** The software statement is valid but its issuer is not trusted (RFC 7591 section 3.2.2). */
  'unapproved_software_statement',
  /** A required bearer token is missing (RFC 6750 section 3.1: the challenge has no error). */
  'missing_token',
  /** The bearer token is unknown, expired, used up or of the wrong kind (RFC 6750 section 3.1). */
  'invalid_token',
  /** The bearer token is valid but insufficient (RFC 6750 section 3.1). */
  'insufficient_scope',
  /** Client authentication failed or is missing (RFC 6749 section 5.2). */
  'invalid_client',
  /** The caller is authenticated but not authorized. */
  'access_denied',
  /** The resource does not exist. */
  'not_found',
  /** The resource exists but does not support the method. */
  'method_not_allowed',
  /** A precondition of the request does not hold (RFC 9110 section 13). */
  'precondition_failed',
  /** Federation is disabled. */
  'federation_not_enabled',
  /** The entity statement or its trust chain cannot be trusted. */
  'unauthorized_client',
  /** Too many requests; a later one may succeed. */
  'too_many_requests',
  /** An error that the caller did not cause. */
  'server_error',
] as const;

/** A stable error code. */
export type ErrorCode = (typeof ERROR_CODES)[number];
