/** Media types as in `Content-Type` and `Accept`, without parameters. */
export const MEDIA_TYPE = {
  json: 'application/json',
  /** RFC 7396 section 4. */
  mergePatch: 'application/merge-patch+json',
  ndjson: 'application/x-ndjson',
  /** HTML Living Standard, section 9.2. */
  eventStream: 'text/event-stream',
  form: 'application/x-www-form-urlencoded',
  html: 'text/html',
  /** RFC 7515 section 9.2.1; the draft profile of federation registration. */
  jose: 'application/jose',
  jwt: 'application/jwt',
  jwkSet: 'application/jwk-set+json',
  /** OpenID Federation 1.0 section 5.2.1. */
  jwkSetJwt: 'application/jwk-set+jwt',
  /** RFC 8417 section 7.2. */
  securityEventJwt: 'application/secevent+jwt',
  /** RFC 9701 section 4. */
  tokenIntrospectionJwt: 'application/token-introspection+jwt',
  /** OpenID Federation 1.0 section 3.1. */
  entityStatementJwt: 'application/entity-statement+jwt',
  /** OpenID Federation 1.0 section 8.4.2. */
  trustMarkStatusResponseJwt: 'application/trust-mark-status-response+jwt',
  /** OpenID Federation 1.0 section 4.3. */
  trustChainJson: 'application/trust-chain+json',
  /** OpenID Federation 1.0 section 12.2.3. */
  explicitRegistrationResponseJwt: 'application/explicit-registration-response+jwt',
} as const;
