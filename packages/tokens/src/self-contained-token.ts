import type { KeyRing } from '@vestibule/crypto';
import { type Clock, type Issuer, JWT_TYP, nowSeconds } from '@vestibule/protocol';
import { fromClaims, type SelfContainedToken } from './access-token-claims.js';
import { verifyOwnJwt } from './verify-own-jwt.js';

/** What reading a self-contained token takes. */
export interface SelfContainedTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'verificationKeys'>;
}

/**
 * Reads a self-contained access token: signed by a key of ours, of the type `at+jwt` and no other kind of JWT
 * (RFC 9068 section 2.1, RFC 8725 section 3.11), with well-formed claims. `undefined` for everything else. Says
 * nothing about expiry and revocation. A fault in finding the keys propagates.
 */
export async function readSelfContained(
  deps: SelfContainedTokenDeps,
  text: string,
): Promise<SelfContainedToken | undefined> {
  const jwt = await verifyOwnJwt(deps.keys, text, JWT_TYP.accessToken);
  return jwt === undefined ? undefined : fromClaims(jwt.claims, deps.issuer, nowSeconds(deps.clock));
}
