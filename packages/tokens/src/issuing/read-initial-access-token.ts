import type { InitialTokenReader } from '@vestibule/clients/registration';
import { isEpochSeconds, nowSeconds } from '@vestibule/protocol';
import { JWT_TYP } from '@vestibule/protocol/constants';
import type { SelfContainedTokenDeps } from '../self-contained-token.js';
import { tokenSyntax } from '../token-syntax.js';
import { verifyOwnJwt } from '../verify-own-jwt.js';

/**
 * Returns the name under which an initial access token as a JWT is stored. It contains a character that no
 * bearer token has (RFC 6750 section 2.1), because a `jti` is not a secret and must not be usable as a token.
 */
export function initialTokenName(jti: string): string {
  return `jwt:${jti}`;
}

/**
 * Creates the reader of initial access tokens that are JWTs: signed with a key of the ring, not expired, and with a
 * type of their own, so that they cannot be mistaken for another kind of JWT. Their scope and uses are read from the
 * store.
 */
export function initialTokenReader({ keys, issuer, clock }: SelfContainedTokenDeps): InitialTokenReader {
  return {
    read: async (text) => {
      if (tokenSyntax(text) !== 'jwt') return undefined;
      const jwt = await verifyOwnJwt(keys, text, JWT_TYP.initialAccessToken);
      const { iss, exp, jti } = jwt?.claims ?? {};
      const isLive = isEpochSeconds(exp) && exp > nowSeconds(clock);
      return iss === issuer && isLive && typeof jti === 'string' && jti !== ''
        ? initialTokenName(jti)
        : undefined;
    },
  };
}
