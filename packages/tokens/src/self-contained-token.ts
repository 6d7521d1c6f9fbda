import { JoseFailure, type KeyRing, type VerifiedJwt, verifyJwt } from '@vestibule/crypto';
import { ASYMMETRIC_ALGORITHMS, type Clock, type Issuer, JWT_TYP, nowSeconds } from '@vestibule/protocol';
import { fromClaims, type SelfContainedToken } from './access-token-claims.js';
import { JWT_MAX_LENGTH } from './token-syntax.js';

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
  const jwt = await verifyOurs(deps.keys, text);
  return jwt === undefined ? undefined : fromClaims(jwt.claims, deps.issuer, nowSeconds(deps.clock));
}

async function verifyOurs(
  { verificationKeys }: SelfContainedTokenDeps['keys'],
  text: string,
): Promise<VerifiedJwt | undefined> {
  try {
    return await verifyJwt(text, {
      keys: verificationKeys,
      algorithms: ASYMMETRIC_ALGORITHMS,
      types: [JWT_TYP.accessToken],
      maxLength: JWT_MAX_LENGTH,
    });
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}
