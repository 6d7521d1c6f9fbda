import Type from 'typebox';

/** Settings of services that accept client assertions (RFC 7523 section 3). */
export const ASSERTION_SETTINGS = {
  ASSERTION_MAX_LIFETIME_SECONDS: Type.Integer({
    description:
      'Maximum time until the `exp` of a client assertion, in seconds, plus 30 seconds for clock skew.',
    default: 3_600,
    minimum: 1,
    maximum: 86_400,
  }),
  ASSERTION_AUDIENCE: Type.Enum(['issuer_or_endpoint', 'issuer'], {
    description:
      'Accepted `aud` of a client assertion, always a single value. `issuer_or_endpoint`: the issuer, the URL of the token endpoint or the URL of the endpoint that was called. `issuer`: only the issuer (FAPI 2.0, RFC 7523bis). Federated clients always have to use the issuer.',
    default: 'issuer_or_endpoint',
  }),
};
