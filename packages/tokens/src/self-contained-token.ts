import { type KeyRing, type OtherServerSigners, ownKeysBeside } from '@vestibule/crypto/signing-keys';
import { type Clock, type Issuer, nowSeconds } from '@vestibule/protocol';
import { type AccessTokenType, JWT_TYP } from '@vestibule/protocol/constants';
import { authorizationServerClaims } from './authorization-server-claims.js';
import { fromClaims, isMarkedAsOurs, type SelfContainedToken } from './issuing/access-token-claims.js';
import { verifyOwnJwt } from './verify-own-jwt.js';

/** Dependencies of reading self-contained tokens. */
export interface SelfContainedTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'verificationKeys'>;
  /** Keys of another authorization server with the same issuer, which issues access tokens too. Default: none. */
  readonly authorizationServerKeys?: OtherServerSigners;
}

/**
 * Reads a self-contained access token: signed with a key of the ring or of the authorization server, with one of the
 * two types of access tokens (RFC 9068 section 2.1) and no other kind of JWT (RFC 8725 section 3.11), and with
 * well-formed claims. `undefined` for everything else. Does not check expiry and revocation. Rejects when the keys
 * cannot be read.
 */
export async function readSelfContained(
  deps: SelfContainedTokenDeps,
  text: string,
): Promise<SelfContainedToken | undefined> {
  const { issuer, clock } = deps;
  const keys = ownKeysBeside(deps.keys, deps.authorizationServerKeys);
  const jwt = (await verifyOwnJwt(keys, text, JWT_TYP.accessToken)) ?? (await readOfSharedType(keys, text));
  const claims = jwt?.claims ?? (await authorizationServerClaims(deps, text));
  return claims && fromClaims(claims, issuer, nowSeconds(clock));
}

/**
 * Reads an access token of the type `JWT`, which ID tokens and (by configuration) introspection responses have too. It
 * is recognized by the private claim that only our access tokens have.
 */
async function readOfSharedType(keys: SelfContainedTokenDeps['keys'], text: string) {
  const jwt = await verifyOwnJwt(keys, text, 'JWT' satisfies AccessTokenType);
  return jwt !== undefined && isMarkedAsOurs(jwt.claims) ? jwt : undefined;
}
