import Type from 'typebox';

/** The settings of services that take client assertions (RFC 7523 section 3). */
export const ASSERTION_SETTINGS = {
  ASSERTION_MAX_LIFETIME_SECONDS: Type.Integer({
    description:
      'How far ahead `exp` of a client assertion may lie, in seconds; 30 more are accepted for clocks that differ.',
    default: 3_600,
    minimum: 1,
    maximum: 86_400,
  }),
  ASSERTION_AUDIENCE: Type.Enum(['issuer_or_endpoint', 'issuer'], {
    description:
      'What `aud` of a client assertion may be, always as the only value: the issuer, the address of the token endpoint or that of the called endpoint; or `issuer` alone (FAPI 2.0, RFC 7523bis). Clients of federations always name the issuer.',
    default: 'issuer_or_endpoint',
  }),
};
