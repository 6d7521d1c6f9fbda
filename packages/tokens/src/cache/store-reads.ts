import type { Digest } from '@vestibule/crypto/data-keys';
import { type BatchLoader, batchLoader, type Scheduler } from '@vestibule/protocol/runtime';
import type { AccessTokenStore, StoredAccessToken } from '../access-token-store.js';
import type {
  RevocationStatus,
  RevocationStore,
  SelfContainedTokenFacts,
} from '../revocation/revocation-store.js';
import { digestTag } from './cache-tag.js';
import { STORE_DEADLINE_MS } from './stale-fallback.js';
import { earliestMs, type StoreClock } from './store-clock.js';
import type { TokenCacheCounters } from './token-cache-counters.js';

/** A result of the store, with the earliest time, by the clock of the store, at which it may have been read. */
export interface StoreRead<Result> {
  readonly result: Result;
  readonly readAtMs: number;
}

/** The two kinds of reads of the cache; those of one turn are combined into one query. */
export interface StoreReads {
  /** Reads the token with one of the digests. */
  readonly tokens: BatchLoader<readonly Digest[], StoreRead<StoredAccessToken | undefined>>;
  /** Reads the revocation status of a self-contained token. */
  readonly statuses: BatchLoader<SelfContainedTokenFacts, StoreRead<RevocationStatus>>;
}

/** Options of the reads. */
export interface StoreReadsOptions {
  readonly accessTokens: Pick<AccessTokenStore, 'findMany'>;
  readonly revocations: Pick<RevocationStore, 'statuses'>;
  readonly clock: StoreClock;
  readonly scheduler: Scheduler;
  /** Largest number of parallel queries. */
  readonly maxQueries: number;
  readonly counters: Pick<TokenCacheCounters, 'storeQueries'>;
}

const MAX_BATCH = 128;
const MAX_WAITING = 5_000;

/** Creates batched reads of the store. */
export function storeReads(options: StoreReadsOptions): StoreReads {
  const { accessTokens, revocations, clock, scheduler, counters } = options;
  const limits = {
    scheduler,
    maxBatch: MAX_BATCH,
    maxParallel: Math.max(1, Math.floor(options.maxQueries / 2)),
    maxWaiting: MAX_WAITING,
    deadlineMs: STORE_DEADLINE_MS,
  };
  const timed = async <Result>(
    read: () => Promise<readonly Result[]>,
  ): Promise<readonly StoreRead<Result>[]> => {
    const readAtMs = earliestMs(clock);
    counters.storeQueries += 1;
    return (await read()).map((result) => ({ result, readAtMs }));
  };
  return {
    tokens: batchLoader({
      ...limits,
      load: (requests) => timed(() => findEach(accessTokens, requests)),
    }),
    statuses: batchLoader({
      ...limits,
      load: (requests) => timed(() => revocations.statuses(requests)),
    }),
  };
}

async function findEach(
  accessTokens: Pick<AccessTokenStore, 'findMany'>,
  requests: readonly (readonly Digest[])[],
): Promise<readonly (StoredAccessToken | undefined)[]> {
  const stored = await accessTokens.findMany(requests.flat());
  const byTag = new Map(stored.map((token) => [digestTag(token.digest), token]));
  return requests.map((digests) => {
    const tag = digests.map(digestTag).find((each) => byTag.has(each));
    return tag === undefined ? undefined : byTag.get(tag);
  });
}
