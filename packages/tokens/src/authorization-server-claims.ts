import { decodeUnverifiedJwt, JoseFailure, type VerifiedJwt } from '@vestibule/crypto/jwt';
import type { OtherServerSigners } from '@vestibule/crypto/signing-keys';
import type { Issuer } from '@vestibule/protocol';
import { type AccessTokenType, JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { derivedJti } from './derived-jti.js';
import { withoutOurMark } from './issuing/access-token-claims.js';
import { JWT_MAX_LENGTH } from './token-syntax.js';
import { verifyOwnJwt } from './verify-own-jwt.js';

/** The issuer, and the keys of the other server that issues its access tokens. */
interface OtherIssuingServer {
  readonly issuer: Issuer;
  readonly authorizationServerKeys?: OtherServerSigners;
}

/**
 * Verifies an access token that another authorization server with our issuer signed, and returns its claims as RFC 9068
 * section 2.2 names them. `undefined` for everything else. Does not check the claims. Rejects when the keys cannot be
 * read.
 */
export async function authorizationServerClaims(
  { issuer, authorizationServerKeys }: OtherIssuingServer,
  text: string,
): Promise<JsonObject | undefined> {
  // No key can make a token of another issuer active, so none is looked up for it.
  if (authorizationServerKeys === undefined || !statesIssuer(text, issuer)) return undefined;
  const jwt =
    (await verifyOwnJwt(authorizationServerKeys, text, JWT_TYP.accessToken)) ??
    (await readOfSharedType(authorizationServerKeys, text));
  return jwt && withoutOurMark(profiledClaims(jwt.claims, text));
}

/** Whether a text is a JWT that claims to be of this issuer. Nothing is verified. */
export function statesIssuer(text: string, issuer: Issuer): boolean {
  try {
    return decodeUnverifiedJwt(text, JWT_MAX_LENGTH).claims['iss'] === issuer;
  } catch (error) {
    if (error instanceof JoseFailure) return false;
    throw error;
  }
}

/**
 * Names claims as RFC 9068 does: the client is `azp` if there is no `client_id`, the scope is `scp` if there is no
 * `scope`, either may be a list, and `jti` is derived if there is none.
 */
function profiledClaims(claims: JsonObject, text: string): JsonObject {
  const clientId = claims['client_id'] ?? claims['azp'];
  const scope = claims['scope'] ?? claims['scp'];
  return {
    ...claims,
    ...(claims['jti'] === undefined && { jti: derivedJti(signingInput(text)) }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(scope !== undefined && { scope: scopeText(scope) }),
  };
}

function scopeText(scope: JsonValue): JsonValue {
  const isList = Array.isArray(scope) && scope.every((value) => typeof value === 'string');
  return isList ? scope.join(' ') : scope;
}

/**
 * Reads an access token of the type `JWT`, which ID tokens, refresh tokens and any other JWT may have (RFC 8725 section
 * 3.11). It is recognized by the claim of Keycloak only.
 */
async function readOfSharedType(keys: OtherServerSigners, text: string): Promise<VerifiedJwt | undefined> {
  const jwt = await verifyOwnJwt(keys, text, 'JWT' satisfies AccessTokenType);
  return jwt !== undefined && ACCESS_TOKEN_MARKS.includes(jwt.claims['typ']) ? jwt : undefined;
}

/** Values of the claim `typ` by which Keycloak marks access tokens; its other tokens have other values. */
export const ACCESS_TOKEN_MARKS: readonly unknown[] = ['Bearer', 'DPoP'];

/** The signed part of a token. Unlike the signature, it cannot be spelt in another way. */
function signingInput(text: string): string {
  return text.slice(0, text.lastIndexOf('.'));
}
