import { type Digest, KeyEncryptionError } from '@vestibule/crypto/data-keys';
import type { KeyRing, OtherServerKeys, OtherServerSigners } from '@vestibule/crypto/signing-keys';
import type { MonotonicClock, Scheduler } from '@vestibule/protocol/runtime';
import type { AccessTokenStore } from '../access-token-store.js';
import type { RevocationStore } from '../revocation/revocation-store.js';
import {
  claimToken,
  type FoundToken,
  type TokenState,
  type TokenStateDeps,
  type TokenStates,
} from '../token-state.js';
import { type CacheTag, digestTag, SIGNING_KEYS_TAG } from './cache-tag.js';
import { tokenKey } from './cached-token.js';
import { currentKeys } from './current-keys.js';
import { deduplication } from './deduplicated-token.js';
import { followedDigestKeys } from './followed-digest-keys.js';
import { type InvalidationLog, invalidationLog } from './invalidation-log.js';
import type { InvalidationStream } from './invalidation-stream.js';
import { joinedReads } from './joined-reads.js';
import { negativeEntries } from './negative-entries.js';
import type { SharedTokenLevel } from './shared-token-level.js';
import {
  FALLBACK_AFTER_MS,
  orStaleFallback,
  STALE_FALLBACK_MS,
  withinStoreDeadline,
} from './stale-fallback.js';
import type { StoreClock } from './store-clock.js';
import { storeReads } from './store-reads.js';
import { type TokenCacheCounters, tokenCacheCounters } from './token-cache-counters.js';
import { type MemoryLimits, type StateValidity, tokenMemory } from './token-memory.js';
import { readToken, type TokenReadOutcome } from './token-reader.js';
import { type Tombstones, tombstonesOn } from './tombstones.js';

/** Options of the token cache. */
export interface TokenCacheOptions extends Pick<TokenStateDeps, 'issuer' | 'digester'> {
  /** The clock of the store, which also gives the age of states that other processes have read. */
  readonly clock: StoreClock;
  /** The provider's key ring; the cache refreshes it when its keys have changed. */
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'refresh'>;
  /** Keys of another authorization server with the same issuer; when they change, what they verified is discarded. */
  readonly authorizationServerKeys?: OtherServerSigners & Pick<OtherServerKeys, 'onChange'>;
  /** Refreshes the keys of the digester. Returns how often they have changed since they were opened. */
  readonly refreshDigestKeys: () => Promise<number>;
  readonly accessTokens: Pick<AccessTokenStore, 'find' | 'findMany' | 'claim'>;
  readonly revocations: Pick<RevocationStore, 'statuses'>;
  readonly stream: InvalidationStream;
  readonly monotonic: MonotonicClock;
  readonly scheduler: Scheduler;
  /** The shared level; optional. */
  readonly shared?: SharedTokenLevel;
  /** How long a state of the shared level may be used after the store was read, in milliseconds; at most 5,000. */
  readonly sharedTtlMs: number;
  /** Limits of the in-process cache; with 0 entries nothing is cached in this process. */
  readonly limits: MemoryLimits;
  /** Largest number of parallel queries; must be less than the number of connections. */
  readonly maxQueries: number;
}

/** Token states, cached until they are invalidated or expire. */
export interface TokenCache extends TokenStates {
  /**
   * Waits until a revocation by this process has taken effect here: call it before the revocation is acknowledged. When
   * it resolves, the tokens are inactive in this process.
   */
  settle(): Promise<void>;
  /**
   * Returns how long a state may be used that was just returned for this text; `undefined` if that is not known, or if the
   * state is outdated by now.
   */
  validity(text: string, state: TokenState): StateValidity | undefined;
  readonly log: InvalidationLog;
  readonly counters: Readonly<TokenCacheCounters>;
  readonly memory: { readonly size: number; readonly bytes: number };
}

/** Greatest age of a state in a response while everything works, in milliseconds. */
const MAX_AGE_MS = 1_000;
/** Time after which a signature is verified again with the current keys, in milliseconds. */
const VERIFIED_FOR_MS = 60_000;

/**
 * Creates a cache of token states over the stores. A state is looked up in this order:
 * 1. in the memory of this process, which is used only while the watermark of the invalidation stream is at most a
 *    second old;
 * 2. on the shared level, for a few seconds after the store was read;
 * 3. in the store. Parallel reads of one token are joined, and the reads of one turn are one query.
 *
 * When the store fails, a state that was valid a few seconds ago is used (stale fallback). Without one the call
 * rejects.
 */
export function cachedTokenStates(options: TokenCacheOptions): TokenCache {
  const { keys, refreshDigestKeys, digester, monotonic, stream, shared, scheduler } = options;
  const counters = tokenCacheCounters();
  const log = invalidationLog({ stream, monotonic, maxWatermarkAgeMs: MAX_AGE_MS });
  const tombstones = tombstonesOn(shared);
  listen(stream, counters, tombstones);
  options.authorizationServerKeys?.onChange(() => log.record([SIGNING_KEYS_TAG]));
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
  const joined = joinedReads({ log, maxAgeMs: MAX_AGE_MS, memory, counters });

  const cached = (key: string): FoundToken | undefined => {
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
    cached: (text) => cached(tokenKey(text)),
    read: (text) => {
      const key = tokenKey(text);
      const found = cached(key);
      if (found !== undefined) return Promise.resolve(found);
      return orStaleFallback(readAndKeep(key, text), {
        scheduler,
        fallbackAfterMs: FALLBACK_AFTER_MS,
        staleFallback: () => staleFallback(key),
      });
    },
    claim: async (text, caller, now) => {
      if (!digestKeys.areCurrent()) await withinStoreDeadline(digestKeys.readAgain(), scheduler);
      const digests = digester.availableDigests('access-token', text);
      try {
        const found = await withinStoreDeadline(claimToken(options, text, { caller, now }), scheduler);
        if (found.found) tombstones.invalidate(digests);
        return found;
      } finally {
        // Also after a failure, because the claim may have been executed.
        log.record(digests.map(digestTag));
        memory.forget(tokenKey(text));
        await tombstones.settled();
      }
    },
    settle: async () => {
      if (!(await stream.catchUp())) log.discardEverything();
      await tombstones.settled();
    },
    validity: (text, state) => memory.validity(tokenKey(text), state, monotonic()),
    log,
    counters,
    memory,
  };
}

/**
 * Returns the outcome of a read. The memory was updated before: a token that was not found is removed even if it may be
 * stored under a digest key that cannot be opened, because the removed entry was stored under another key.
 * @throws KeyEncryptionError when the token may be stored under a digest key that cannot be opened
 */
function foundIn(outcome: TokenReadOutcome): FoundToken {
  if (outcome.kind === 'uncertain') throw new KeyEncryptionError('a digest key cannot be opened');
  return outcome.kind === 'not_found' ? outcome.found : { found: true, state: outcome.reading.state };
}

/** Counts invalidation events, and writes tombstones to the shared level, as every other process does too. */
function listen(stream: InvalidationStream, counters: TokenCacheCounters, tombstones: Tombstones): void {
  stream.subscribe({
    onStarted: () => undefined,
    onInvalidation: (invalidation) => {
      counters.invalidations += 1;
      if (invalidation.kind === 'everything') counters.interruptions += 1;
      if (invalidation.kind === 'tokens') tombstones.invalidate(invalidation.digests.map(digestOfTag));
    },
    onAdvanced: () => undefined,
    onLost: () => {
      counters.interruptions += 1;
    },
  });
}

function digestOfTag(tag: CacheTag): Digest {
  return Uint8Array.from(Buffer.from(tag, 'base64')) as Uint8Array as Digest;
}
