import type { InitialTokenReader } from '@vestibule/clients';
import { isEpochSeconds, JWT_TYP, nowSeconds } from '@vestibule/protocol';
import type { SelfContainedTokenDeps } from './self-contained-token.js';
import { tokenSyntax } from './token-syntax.js';
import { verifyOwnJwt } from './verify-own-jwt.js';

/**
 * What an initial access token in the form of a JWT is kept under. Holds a character that no bearer token has
 * (RFC 6750 section 2.1): a `jti` is no secret, and whoever presents it has nothing.
 */
export function initialTokenName(jti: string): string {
  return `jwt:${jti}`;
}

/**
 * Reads initial access tokens that are JWTs: signed by a key of ours, of a type of their own, so that none passes for
 * an access token and no other JWT for one of them, and not expired. What they may do is for the store to say, which
 * also counts their uses.
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
