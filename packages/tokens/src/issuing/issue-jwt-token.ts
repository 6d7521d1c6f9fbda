import { randomAlphanumeric } from '@vestibule/crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import type { KeyRing } from '@vestibule/crypto/signing-keys';
import { type Clock, DomainError, type Issuer, type RandomSource } from '@vestibule/protocol';
import { type AccessTokenType, type AsymmetricAlgorithm, JWT_TYP } from '@vestibule/protocol/constants';
import { JWT_MAX_LENGTH } from '../token-syntax.js';
import { toClaims } from './access-token-claims.js';
import { type AccessTokenGrant, grantedToken, type IssuedAccessToken } from './access-token-grant.js';

/** Dependencies of issuing self-contained access tokens. */
export interface JwtTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  /** The provider's key ring. */
  readonly keys: Pick<KeyRing, 'signingKey'>;
  readonly algorithm: AsymmetricAlgorithm;
  /** The `typ` of the token. Default `at+jwt`. */
  readonly accessTokenType?: AccessTokenType;
}

const JTI_LENGTH = 22;

/**
 * Issues a self-contained access token in the profile of RFC 9068, signed with the active key of the configured
 * algorithm. Without an explicit audience it has no `aud` and is for any resource server, like an identifier-based
 * token; the profile has no other way to express that. Nothing is stored. The caller must have checked that the client
 * exists.
 *
 * @throws DomainError `invalid_request` when the grant is invalid or the token would exceed 8,192 characters
 */
export async function issueJwtToken(deps: JwtTokenDeps, grant: AccessTokenGrant): Promise<IssuedAccessToken> {
  const state = { ...grantedToken(deps, grant), jti: randomAlphanumeric(JTI_LENGTH, deps.random) };
  const accessToken = await signJwt({
    key: deps.keys.signingKey(deps.algorithm),
    typ: deps.accessTokenType ?? JWT_TYP.accessToken,
    claims: toClaims(state),
  });
  if (accessToken.length > JWT_MAX_LENGTH)
    throw new DomainError(
      'invalid_request',
      'The token would exceed 8192 characters; request an identifier-based one',
    );
  return { accessToken, state };
}
