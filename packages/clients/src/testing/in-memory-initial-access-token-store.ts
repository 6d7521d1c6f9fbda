import { constantTimeEquals } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { InitialAccessToken, InitialAccessTokenStore } from '../registration/initial-access-token.js';

/** In-memory initial access tokens for tests of the operations. */
export interface InMemoryInitialAccessTokenStore extends InitialAccessTokenStore {
  /** Consumes one use of the token with one of the digests. Returns false and changes nothing if it is not usable. */
  consume(digests: readonly Digest[], now: EpochSeconds): boolean;
}

/** Creates an empty store. */
export function inMemoryInitialAccessTokenStore(): InMemoryInitialAccessTokenStore {
  let tokens: readonly InitialAccessToken[] = [];
  const matching = (digests: readonly Digest[]) =>
    tokens.find(({ digest }) => digests.some((given) => constantTimeEquals(given, digest)));
  return {
    find: async (digests) => matching(digests),
    insert: async (token) => {
      tokens = [...tokens, token];
    },
    delete: async (digests) => {
      const found = matching(digests);
      tokens = tokens.filter((token) => token !== found);
      return found !== undefined;
    },
    consume: (digests, now) => {
      const found = matching(digests);
      if (found === undefined || found.usesLeft < 1 || found.expiresAt <= now) return false;
      tokens = tokens.map((token) => (token === found ? { ...token, usesLeft: token.usesLeft - 1 } : token));
      return true;
    },
  };
}
