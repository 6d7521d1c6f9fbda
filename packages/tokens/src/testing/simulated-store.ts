import type { Digest } from '@vestibule/crypto/data-keys';
import type { AccessToken } from '../access-token.js';
import type { AccessTokenStore, StoredAccessToken } from '../access-token-store.js';
import { type CacheTag, digestTag } from '../cache/cache-tag.js';

/** How a read ends: with the state at its start, with the state now, or with a fault. */
export type ReadFate = 'early' | 'late' | 'fault';

/** The store for one process, whose reads end when the test says so. */
export interface SimulatedStoreView {
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'findMany' | 'claim'>;
  /** Ends the oldest pending read. */
  end(fate: ReadFate): void;
  /** Ends the newest pending read. */
  endNewest(fate: ReadFate): void;
  readonly waiting: number;
}

/** The store of all processes. Revocations take effect and have their invalidation event at the same time. */
export interface SimulatedStore {
  insert(digest: Digest, token: AccessToken): void;
  /** False when there is no such token. */
  revoke(tag: CacheTag): boolean;
  view(): SimulatedStoreView;
}

/** Creates an empty store. @param invalidate called with the tag of each token that is deleted, in the same step */
export function simulatedStore(invalidate: (tag: CacheTag) => void): SimulatedStore {
  const tokens = new Map<CacheTag, StoredAccessToken>();
  const revoke = (tag: CacheTag) => {
    const found = tokens.delete(tag);
    if (found) invalidate(tag);
    return found;
  };
  const find = (digests: readonly Digest[]) =>
    digests.flatMap((digest) => tokens.get(digestTag(digest)) ?? []);
  const view = (): SimulatedStoreView => {
    const reads: ((fate: ReadFate) => void)[] = [];
    return {
      accessTokens: {
        find: async (digests) => find(digests)[0]?.token,
        findMany: (digests) => {
          const early = find(digests);
          return new Promise((resolve, reject) => {
            reads.push((fate) => {
              if (fate === 'fault') reject(new Error('store down'));
              else resolve(fate === 'early' ? early : find(digests));
            });
          });
        },
        claim: async (digests) => {
          const [stored] = find(digests);
          return stored !== undefined && revoke(digestTag(stored.digest)) ? stored.token : undefined;
        },
      },
      end: (fate) => reads.shift()?.(fate),
      endNewest: (fate) => reads.pop()?.(fate),
      get waiting() {
        return reads.length;
      },
    };
  };
  return { insert: (digest, token) => tokens.set(digestTag(digest), { digest, token }), revoke, view };
}
