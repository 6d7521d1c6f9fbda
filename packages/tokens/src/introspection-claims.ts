import { sha256 } from '@vestibule/crypto';
import type { ClientId, EpochSeconds, Issuer, JsonObject } from '@vestibule/protocol';
import type { IntrospectionResponse } from './introspection-response.js';

/** What stands around the response in a JWT. */
export interface ResponseEnvelope {
  readonly issuer: Issuer;
  /** The resource server that asks, for which alone the response is. */
  readonly caller: ClientId;
  readonly issuedAt: EpochSeconds;
}

/**
 * The claims of a response (RFC 9701 section 5, introspection/API.md#signed-responses). `sub` and `exp` never stand at
 * the top level, so that the response passes for no token.
 */
export function introspectionClaims(
  { issuer, caller, issuedAt }: ResponseEnvelope,
  response: IntrospectionResponse,
): JsonObject {
  return { iss: issuer, aud: caller, iat: issuedAt, token_introspection: response };
}

/**
 * The claims of a response in the legacy form (introspection/API.md#signed-responses): the members of the response,
 * with the envelope in place of those of the token that have the same names.
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
 * A `jti` for a text that has none of its own that was verified: always the same for the same text, active or not,
 * whoever asks. It is derived from the text in a way that leads neither back to it nor to the digest that it is
 * stored under.
 */
export function derivedJti(text: string): string {
  return Buffer.from(sha256(`introspection jti\0${text}`))
    .toString('base64url')
    .slice(0, DERIVED_JTI_LENGTH);
}
