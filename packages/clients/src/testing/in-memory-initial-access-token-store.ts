import { constantTimeEquals, type Digest } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';
import type { InitialAccessToken, InitialAccessTokenStore } from '../initial-access-token.js';

/** Initial access tokens in memory, for the tests of the operations. */
export interface InMemoryInitialAccessTokenStore extends InitialAccessTokenStore {
  /** Takes one use from the token that has any of the digests; false, and no change, when it is not usable. */
  spend(candidates: readonly Digest[], now: EpochSeconds): boolean;
}

/** An empty store. */
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
    spend: (candidates, now) => {
      const found = matching(candidates);
      if (found === undefined || found.usesLeft < 1 || found.expiresAt <= now) return false;
      tokens = tokens.map((token) => (token === found ? { ...token, usesLeft: token.usesLeft - 1 } : token));
      return true;
    },
  };
}
