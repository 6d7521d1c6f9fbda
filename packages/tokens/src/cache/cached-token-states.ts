import { type Digest, type KeyRing, requireEveryKey } from '@vestibule/crypto';
import type { AccessTokenStore } from '../access-token-store.js';
import { type CacheTag, digestName } from '../cache-tag.js';
import type { InvalidationStream, MonotonicClock } from '../invalidation-stream.js';
import type { RevocationStore } from '../revocation-store.js';
import type { SharedTokenLevel } from '../shared-token-level.js';
import type { StoreClock } from '../store-clock.js';
import { claimToken, type FoundToken, type TokenStateDeps, type TokenStates } from '../token-state.js';
import type { Scheduler } from './batched-reads.js';
import type { MemoryLimits } from './bounded-memory.js';
import { currentKeys } from './current-keys.js';
import { deduplication } from './deduplicated-token.js';
import { followedDigestKeys } from './followed-digest-keys.js';
import { type InvalidationLog, invalidationLog } from './invalidation-log.js';
import { joinedReads } from './joined-reads.js';
import { negativeEntries } from './negative-entries.js';
import { tokenKey } from './remembered-token.js';
import { orStaleFallback, PATIENCE_MS, STALE_FALLBACK_MS, withinDeadline } from './stale-fallback.js';
import { storeReads } from './store-reads.js';
import { type TokenCacheCounters, tokenCacheCounters } from './token-cache-counters.js';
import { tokenMemory } from './token-memory.js';
import { readToken, type TokenReadOutcome } from './token-reader.js';
import { type Tombstones, tombstonesOn } from './tombstones.js';

/** What a cache of token states is made of. */
export interface TokenCacheOptions extends Pick<TokenStateDeps, 'issuer' | 'digester'> {
  /** Also tells the age of what other processes read. */
  readonly clock: StoreClock;
  /** The provider's key ring, which is read again when its keys have changed. */
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'refresh'>;
  /** Reads the keys of the digester again, and gives how often they have changed since they were opened. */
  readonly refreshDigestKeys: () => Promise<number>;
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'findMany' | 'claim'>;
  readonly revocations: Pick<RevocationStore, 'standings'>;
  readonly stream: InvalidationStream;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Scheduler;
  /** The level that processes share; absent without one. */
  readonly shared?: SharedTokenLevel;
  /** How long after the store was asked a state of the shared level may be used; at most 5,000 milliseconds. */
  readonly sharedTtlMs: number;
  /** What this process remembers at most; with no entries it remembers nothing. */
  readonly limits: MemoryLimits;
  /** How many queries the cache has under way at most: fewer than there are connections. */
  readonly maxQueries: number;
}

/** Token states, remembered as long as nothing speaks against them. */
export interface TokenCache extends TokenStates {
  /**
   * To be called after a revocation by this process, before it is acknowledged: when it resolves, the tokens are dead
   * here.
   */
  settle(): Promise<void>;
  readonly log: InvalidationLog;
  readonly counters: Readonly<TokenCacheCounters>;
  readonly memory: { readonly size: number; readonly bytes: number };
}

/** How far back the truth of a response may lie while everything works, in milliseconds. */
const MAX_AGE_MS = 1_000;
/** How soon a signature is verified again at the latest, by the keys as they then are. */
const VERIFIED_FOR_MS = 60_000;

/**
 * A cache of token states over the stores. On the way to a response lie, in this order: the memory of this process,
 * trusted only while the invalidation stream proves that no invalidation event is missing but those of the last second;
 * the shared level, for a few seconds after the store was asked; the store, where parallel requests about one token are
 * one question and the requests of one moment one query. When the store fails, what was true a few seconds ago still
 * counts, and then nothing does: the fault is the caller's.
 */
export function cachedTokenStates(options: TokenCacheOptions): TokenCache {
  const { keys, refreshDigestKeys, digester, monotonic, stream, shared, scheduler } = options;
  const counters = tokenCacheCounters();
  const log = invalidationLog({ stream, monotonic, maxWatermarkAgeMs: MAX_AGE_MS });
  const tombstones = tombstonesOn(shared);
  listen(stream, counters, tombstones);
  const following = { log, stream, monotonic, scheduler, maxAgeMs: MAX_AGE_MS };
  const digestKeys = followedDigestKeys({ ...following, refreshDigestKeys });
  const memory = tokenMemory({ log, digestKeys, limits: options.limits, staleFallbackMs: STALE_FALLBACK_MS });
  const store = storeReads({ ...options, counters });
  const reader = {
    ...options,
    keys: currentKeys({ ...following, keys }),
    digestKeys,
    log,
    counters,
    store,
    negativeEntries: negativeEntries(),
    tombstones,
    deduplication: deduplication(),
    verifiedForMs: VERIFIED_FOR_MS,
  };
  const joined = joinedReads<TokenReadOutcome>({
    log,
    maxAgeMs: MAX_AGE_MS,
    onJoined: () => {
      counters.joined += 1;
    },
    onOutcome: (key, { reading }) => {
      // What is gone stays gone, whatever was remembered of it.
      if (reading === undefined) memory.forget(key);
      else memory.keep(key, reading);
    },
    onDenied: memory.forget,
  });

  const known = (key: string): FoundToken | undefined => {
    const found = memory.get(key, monotonic());
    if (found !== undefined) counters.memoryHits += 1;
    return found;
  };
  const readAndKeep = (key: string, text: string): Promise<FoundToken> =>
    joined.read(key, (mark) => readToken(reader, text, mark)).then(foundIn);
  const staleFallback = (key: string): FoundToken | undefined => {
    const found = memory.staleFallback(key, monotonic());
    if (found !== undefined) counters.staleFallbacks += 1;
    return found;
  };

  return {
    known: (text) => known(tokenKey(text)),
    read: (text) => {
      const key = tokenKey(text);
      const found = known(key);
      if (found !== undefined) return Promise.resolve(found);
      return orStaleFallback(readAndKeep(key, text), {
        scheduler,
        patienceMs: PATIENCE_MS,
        staleFallback: () => staleFallback(key),
      });
    },
    claim: async (text, caller, now) => {
      if (!digestKeys.areCurrent()) await withinDeadline(digestKeys.readAgain(), scheduler);
      const hasEveryKey = digester.hasEveryKey();
      const candidates = digester.candidates('access-token', text);
      try {
        const claimed = claimToken(options.accessTokens, candidates, { caller, now, hasEveryKey });
        const found = await withinDeadline(claimed, scheduler);
        if (found.found) tombstones.invalidate(candidates);
        return found;
      } finally {
        // Also when nobody knows whether the claim was carried out.
        log.record(candidates.map(digestName));
        memory.forget(tokenKey(text));
        await tombstones.settled();
      }
    },
    settle: async () => {
      if (!(await stream.catchUp())) log.discardEverything();
      await tombstones.settled();
    },
    log,
    counters,
    memory,
  };
}

/**
 * What a read found. It was told to the memory before: what is not there is forgotten also while nobody can tell
 * whether it is elsewhere, for what was remembered was under a key that is held.
 * @throws KeyEncryptionError when it may be under a key for digests that cannot be opened
 */
function foundIn({ found, isUntold = false }: TokenReadOutcome): FoundToken {
  requireEveryKey(!isUntold);
  return found;
}

/** Counts what is announced, and buries on the shared level what is gone, whoever else does the same. */
function listen(stream: InvalidationStream, counters: TokenCacheCounters, tombstones: Tombstones): void {
  stream.subscribe({
    onStarted: () => undefined,
    onInvalidation: (invalidation) => {
      counters.invalidations += 1;
      if (invalidation.kind === 'everything') counters.interruptions += 1;
      if (invalidation.kind === 'tokens') tombstones.invalidate(invalidation.digests.map(namedDigest));
    },
    onLost: () => {
      counters.interruptions += 1;
    },
  });
}

function namedDigest(name: CacheTag): Digest {
  return Uint8Array.from(Buffer.from(name, 'base64')) as Uint8Array as Digest;
}
