import Type from 'typebox';

/** The settings of services that take client assertions (RFC 7523 section 3). */
export const ASSERTION_SETTINGS = {
  ASSERTION_MAX_LIFETIME_SECONDS: Type.Integer({
    description: 'How far ahead `exp` of a client assertion may lie, in seconds.',
    default: 300,
    minimum: 1,
    maximum: 3_600,
  }),
  ASSERTION_AUDIENCE_ENDPOINTS: Type.Boolean({
    description:
      'Whether the addresses of the token and introspection endpoints may stand in `aud` of client assertions.',
    default: false,
  }),
};
