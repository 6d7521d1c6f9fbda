import type { InitialAccessToken, InitialAccessTokenStore } from '@vestibule/clients/registration';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import type { AccessTokenStore } from '../access-token-store.js';
import type { RevocationStore } from '../revocation/revocation-store.js';

const keyOf = (digest: Digest) => Buffer.from(digest).toString('hex');

/** Identifier-based tokens in memory, with the number of lookups. */
export interface MemoryAccessTokenStore extends AccessTokenStore {
  readonly tokens: Map<string, AccessToken>;
  lookups(): number;
}

/** Creates a store of identifier-based access tokens in memory, with the rules of the port. */
export function memoryAccessTokenStore(): MemoryAccessTokenStore {
  const tokens = new Map<string, AccessToken>();
  let lookups = 0;
  const keyFor = (digests: readonly Digest[]) => {
    lookups += 1;
    return digests.map(keyOf).find((key) => tokens.has(key)) ?? '';
  };
  return {
    tokens,
    lookups: () => lookups,
    insert: async (digest, token) => {
      tokens.set(keyOf(digest), token);
      return true;
    },
    find: async (digests) => tokens.get(keyFor(digests)),
    findMany: async (digests) => {
      lookups += 1;
      return digests.flatMap((digest) => {
        const token = tokens.get(keyOf(digest));
        return token === undefined ? [] : [{ digest, token }];
      });
    },
    claim: async (digests, caller, now) => {
      const key = keyFor(digests);
      const token = tokens.get(key);
      if (token === undefined || now >= token.expiresAt || now < (token.notBefore ?? 0)) return undefined;
      if (token.audience.length > 0 && !caller.some((name) => token.audience.includes(name)))
        return undefined;
      tokens.delete(key);
      return token;
    },
  };
}

/** Creates a store of revocations of single tokens in memory. */
export function memoryRevocationStore(accessTokens: MemoryAccessTokenStore) {
  const revoked = new Set<string>();
  const refreshTokens = new Map<string, ClientId>();
  const unknown = new Map<string, EpochSeconds>();
  const store: Pick<
    RevocationStore,
    | 'revokeAccessToken'
    | 'revokeRefreshToken'
    | 'revokeUnknown'
    | 'refreshTokenOwner'
    | 'revokeSelfContained'
    | 'statuses'
  > = {
    revokeAccessToken: async (digests) =>
      digests.filter((digest) => accessTokens.tokens.delete(keyOf(digest))).length > 0,
    revokeRefreshToken: async (digests) =>
      digests.filter((digest) => refreshTokens.delete(keyOf(digest))).length > 0,
    revokeUnknown: async ({ digests, expiresAt }) => {
      for (const digest of digests.flat()) unknown.set(keyOf(digest), expiresAt);
      return true;
    },
    refreshTokenOwner: async (digests) =>
      digests.map((digest) => refreshTokens.get(keyOf(digest))).find((owner) => owner !== undefined),
    revokeSelfContained: async (issuer, jti) => {
      revoked.add(`${issuer} ${jti}`);
    },
    statuses: async (tokens) =>
      tokens.map(({ issuer, jti }) => ({ isRevoked: revoked.has(`${issuer} ${jti}`) })),
  };
  const holdRefreshToken = (digest: Digest, owner: ClientId) => refreshTokens.set(keyOf(digest), owner);
  const unknownUntil = (digest: Digest) => unknown.get(keyOf(digest));
  return { ...store, holdRefreshToken, unknownUntil, refreshTokenCount: () => refreshTokens.size };
}

/** Creates a store of initial access tokens in memory. */
export function memoryInitialAccessTokenStore(): InitialAccessTokenStore {
  const tokens = new Map<string, InitialAccessToken>();
  const keyFor = (digests: readonly Digest[]) => digests.map(keyOf).find((key) => tokens.has(key)) ?? '';
  return {
    find: async (digests) => tokens.get(keyFor(digests)),
    insert: async (token) => {
      tokens.set(keyOf(token.digest), token);
    },
    delete: async (digests) => tokens.delete(keyFor(digests)),
  };
}
