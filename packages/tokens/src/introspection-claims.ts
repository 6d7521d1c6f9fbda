import { decodeUnverifiedJwt, JoseFailure, sha256, textClaim } from '@vestibule/crypto';
import type { ClientId, EpochSeconds, Issuer, JsonObject } from '@vestibule/protocol';
import type { IntrospectionAnswer } from './introspection-answer.js';
import { JWT_MAX_LENGTH, tokenSyntax } from './token-syntax.js';

/** What stands around the answer in a JWT. */
export interface AnswerEnvelope {
  readonly issuer: Issuer;
  /** The resource server that asks, for which alone the answer is. */
  readonly caller: ClientId;
  readonly issuedAt: EpochSeconds;
}

/**
 * The claims of an answer (RFC 9701 section 5, Seed 2.4). `sub` and `exp` never stand at the top level, so that the
 * answer passes for no token.
 */
export function introspectionClaims(
  { issuer, caller, issuedAt }: AnswerEnvelope,
  answer: IntrospectionAnswer,
): JsonObject {
  return { iss: issuer, aud: caller, iat: issuedAt, token_introspection: answer };
}

/**
 * The claims of an answer in the legacy form (Seed 2.4): the members of the answer, with the envelope in place of those
 * of the token that have the same names.
 * @param jti the same for every answer about one token
 */
export function legacyIntrospectionClaims(
  { issuer, caller, issuedAt }: AnswerEnvelope,
  answer: IntrospectionAnswer,
  jti: string,
): JsonObject {
  return { ...answer, iss: issuer, aud: caller, iat: issuedAt, jti };
}

/** Characters of 128 bits in base64url. */
const DERIVED_JTI_LENGTH = 22;

/**
 * A name for a text that may be a token: always the same for the same text, active or not, whoever asks. It is the
 * `jti` that a self-contained token says it has, else derived from the text in a way that leads neither back to it nor
 * to the digest that it is stored under.
 */
export function tokenName(text: string): string {
  const own = tokenSyntax(text) === 'jwt' ? unverifiedJti(text) : undefined;
  if (own !== undefined && own !== text) return own;
  return Buffer.from(sha256(`introspection jti\0${text}`))
    .toString('base64url')
    .slice(0, DERIVED_JTI_LENGTH);
}

function unverifiedJti(text: string): string | undefined {
  try {
    return textClaim(decodeUnverifiedJwt(text, JWT_MAX_LENGTH).claims, 'jti');
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}
