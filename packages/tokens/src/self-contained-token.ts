import type { KeyRing } from '@vestibule/crypto';
import { type AccessTokenType, type Clock, type Issuer, JWT_TYP, nowSeconds } from '@vestibule/protocol';
import { fromClaims, isMarkedAsOurs, type SelfContainedToken } from './access-token-claims.js';
import { verifyOwnJwt } from './verify-own-jwt.js';

/** What reading a self-contained token takes. */
export interface SelfContainedTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'verificationKeys'>;
}

/**
 * Reads a self-contained access token: signed by a key of ours, of either type that access tokens are issued with
 * (RFC 9068 section 2.1) and no other kind of JWT (RFC 8725 section 3.11), with well-formed claims. `undefined` for
 * everything else. Says nothing about expiry and revocation. A fault in finding the keys propagates.
 */
export async function readSelfContained(
  deps: SelfContainedTokenDeps,
  text: string,
): Promise<SelfContainedToken | undefined> {
  const { keys, issuer, clock } = deps;
  const jwt = (await verifyOwnJwt(keys, text, JWT_TYP.accessToken)) ?? (await readOfSharedType(deps, text));
  return jwt === undefined ? undefined : fromClaims(jwt.claims, issuer, nowSeconds(clock));
}

/**
 * An access token of the type `JWT`, which ID tokens and, where an operator wants it, introspection responses have too.
 * What tells it apart is the private claim that nothing but our access tokens has.
 */
async function readOfSharedType({ keys }: SelfContainedTokenDeps, text: string) {
  const jwt = await verifyOwnJwt(keys, text, 'JWT' satisfies AccessTokenType);
  return jwt !== undefined && isMarkedAsOurs(jwt.claims) ? jwt : undefined;
}
