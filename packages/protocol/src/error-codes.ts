/**
 * Every way in which a request may fail, closed: a new code does not compile until each route group has decided
 * how it looks. Codes that have a registered wire name carry it (RFC 6749, 6750, 7591, OpenID Federation 1.0).
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
  /** The software statement is valid but not one that is trusted here (RFC 7591 section 3.2.2). */
  'unapproved_software_statement',
  /** A bearer token is needed and none came (RFC 6750 section 3.1: the challenge has no error). */
  'missing_token',
  /** The bearer token is unknown, expired, used up or of another kind (RFC 6750 section 3.1). */
  'invalid_token',
  /** The bearer token is valid and too weak (RFC 6750 section 3.1). */
  'insufficient_scope',
  /** Client authentication failed or is missing (RFC 6749 section 5.2). */
  'invalid_client',
  /** The caller is known and lacks the right. */
  'access_denied',
  /** The resource does not exist. */
  'not_found',
  /** The resource exists and does not know the method. */
  'method_not_allowed',
  /** A precondition of the request does not hold (RFC 9110 section 13). */
  'precondition_failed',
  /** Federation is switched off. */
  'federation_not_enabled',
  /** The entity statement or its trust chain cannot be trusted. */
  'unauthorized_client',
  /** Too many requests; a later one may succeed. */
  'too_many_requests',
  /** Anything that is not the caller's doing. */
  'server_error',
] as const;

/** A stable machine code of a failure. */
export type ErrorCode = (typeof ERROR_CODES)[number];
