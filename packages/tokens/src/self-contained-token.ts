import { type Clock, type Issuer, JWT_TYP, nowSeconds } from '@vestibule/protocol';
import { fromClaims, type SelfContainedToken } from './access-token-claims.js';
import type { TokenVerifier } from './token-keys.js';

/** What reading a self-contained token takes. */
export interface SelfContainedTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly keys: TokenVerifier;
}

/**
 * Reads a self-contained access token: signed by a key of ours, of the type `at+jwt` and no other kind of JWT
 * (RFC 9068 section 2.1, RFC 8725 section 3.11), with well-formed claims. `undefined` for everything else. Says
 * nothing about expiry and revocation.
 */
export async function readSelfContained(
  { clock, issuer, keys }: SelfContainedTokenDeps,
  text: string,
): Promise<SelfContainedToken | undefined> {
  const claims = await keys.verify(text, { typ: JWT_TYP.accessToken });
  return claims === undefined ? undefined : fromClaims(claims, issuer, nowSeconds(clock));
}
