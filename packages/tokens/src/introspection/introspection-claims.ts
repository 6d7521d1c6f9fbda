import type { ClientId, EpochSeconds, Issuer } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { IntrospectionResponse } from './introspection-response.js';

/** The claims around the response in a JWT. */
export interface ResponseEnvelope {
  readonly issuer: Issuer;
  /** The resource server that sent the request: the only audience of the response. */
  readonly caller: ClientId;
  readonly issuedAt: EpochSeconds;
}

/**
 * Builds the claims of a signed response (RFC 9701 section 5, introspection/API.md#signed-responses). `sub` and `exp`
 * are never at the top level, so that the response cannot be mistaken for a token.
 */
export function introspectionClaims(
  { issuer, caller, issuedAt }: ResponseEnvelope,
  response: IntrospectionResponse,
): JsonObject {
  return { iss: issuer, aud: caller, iat: issuedAt, token_introspection: response };
}

/**
 * Builds the claims of a signed response in the draft-08 form (introspection/API.md#signed-responses): the members of
 * the response, where the claims of the envelope replace members with the same names.
 * @param jti the same for every response about one token
 */
export function legacyIntrospectionClaims(
  { issuer, caller, issuedAt }: ResponseEnvelope,
  response: IntrospectionResponse,
  jti: string,
): JsonObject {
  return { ...response, iss: issuer, aud: caller, iat: issuedAt, jti };
}
