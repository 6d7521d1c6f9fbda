/**
 * JWS `typ` header values, by kind of token; a token of one kind is never accepted as another (RFC 8725 section 3.11).
 */
export const JWT_TYP = {
  /** RFC 9068 section 2.1. */
  accessToken: 'at+jwt',
  /** Our own type: an initial access token (RFC 7591 section 1.2) must not pass for an access token. */
  initialAccessToken: 'iat+jwt',
  idToken: 'JWT',
  /** RFC 9701 section 5. */
  introspectionResponse: 'token-introspection+jwt',
  /** OpenID Connect Back-Channel Logout 1.0 section 2.4. */
  logoutToken: 'logout+jwt',
  /** RFC 8417 section 2.3. */
  securityEvent: 'secevent+jwt',
  /** OpenID Federation 1.0 section 3.1. */
  entityStatement: 'entity-statement+jwt',
  /** OpenID Federation 1.0 section 5.2.1. */
  jwkSet: 'jwk-set+jwt',
  /** OpenID Federation 1.0 section 7. */
  trustMark: 'trust-mark+jwt',
  /** OpenID Federation 1.0 section 7.2.1. */
  trustMarkDelegation: 'trust-mark-delegation+jwt',
  /** OpenID Federation 1.0 section 8.4.2. */
  trustMarkStatusResponse: 'trust-mark-status-response+jwt',
  /** OpenID Federation 1.0 section 12.2.3. */
  explicitRegistrationResponse: 'explicit-registration-response+jwt',
  /** RFC 9101 section 10.8. */
  requestObject: 'oauth-authz-req+jwt',
} as const;

/** `typ` values of issued self-contained access tokens: that of RFC 9068, or `JWT` for clients that reject it. */
export const ACCESS_TOKEN_TYPES = [JWT_TYP.accessToken, 'JWT'] as const;

/** A `typ` value of self-contained access tokens. */
export type AccessTokenType = (typeof ACCESS_TOKEN_TYPES)[number];
