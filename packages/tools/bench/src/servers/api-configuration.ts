import { type Static, Type } from 'typebox';

/** The authorization server of an API, and what a token must have. */
export const TokenRequirements = Type.Object({
  issuer: Type.String(),
  introspectionEndpoint: Type.String(),
  changesEndpoint: Type.String(),
  jwksUri: Type.String(),
  /** The API, as a client of the authorization server. */
  clientId: Type.String(),
  clientSecret: Type.String(),
  audience: Type.String(),
  scope: Type.String(),
});

/** The authorization server of an API, and what a token must have. */
export type TokenRequirements = Static<typeof TokenRequirements>;

/** The configuration of an API that checks the token of each request. */
export const ApiConfiguration = Type.Object({
  requirements: TokenRequirements,
  /** The response to every accepted request. */
  body: Type.String(),
});

/** Libraries that introspect, for an API that asks for each request. */
export const IntrospectingLibrary = Type.Enum(['openid-client', 'oauth4webapi']);

/** Libraries that introspect, for an API that asks for each request. */
export type IntrospectingLibrary = Static<typeof IntrospectingLibrary>;

/** The path of the API. */
export const API_PATH = '/orders';

/** The response header that names the subject of the token, which shows that the token was read. */
export const SUBJECT_HEADER = 'x-subject';
