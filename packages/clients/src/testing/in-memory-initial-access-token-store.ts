import { constantTimeEquals } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { InitialAccessToken, InitialAccessTokenStore } from '../registration/initial-access-token.js';

/** In-memory initial access tokens for tests of the operations. */
export interface InMemoryInitialAccessTokenStore extends InitialAccessTokenStore {
  /** Consumes one use of the token with one of the digests. Returns false and changes nothing if it is not usable. */
  consume(candidates: readonly Digest[], now: EpochSeconds): boolean;
}

/** Creates an empty store. */
export function inMemoryInitialAccessTokenStore(): InMemoryInitialAccessTokenStore {
  let tokens: readonly InitialAccessToken[] = [];
  const matching = (candidates: readonly Digest[]) =>
    tokens.find(({ digest }) => candidates.some((candidate) => constantTimeEquals(candidate, digest)));
  return {
    find: async (candidates) => matching(candidates),
    insert: async (token) => {
      tokens = [...tokens, token];
    },
    delete: async (candidates) => {
      const found = matching(candidates);
      tokens = tokens.filter((token) => token !== found);
      return found !== undefined;
    },
    consume: (candidates, now) => {
      const found = matching(candidates);
      if (found === undefined || found.usesLeft < 1 || found.expiresAt <= now) return false;
      tokens = tokens.map((token) => (token === found ? { ...token, usesLeft: token.usesLeft - 1 } : token));
      return true;
    },
  };
}
