import { sha256 } from '@vestibule/crypto';
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

/** Characters of 128 bits in base64url. */
const DERIVED_JTI_LENGTH = 22;

/**
 * Derives a `jti` for a token without a verified `jti` of its own. It is always the same for the same token, active or
 * not, for every caller, and reveals neither the token nor the digest under which it is stored.
 */
export function derivedJti(text: string): string {
  return Buffer.from(sha256(`introspection jti\0${text}`))
    .toString('base64url')
    .slice(0, DERIVED_JTI_LENGTH);
}
