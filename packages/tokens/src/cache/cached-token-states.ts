import { type Digest, type KeyRing, requireEveryKey } from '@vestibule/crypto';
import type { AccessTokenStore } from '../access-token-store.js';
import { digestName, type FactName } from '../fact-name.js';
import type { MonotonicClock, RevocationFeed } from '../revocation-feed.js';
import type { RevocationStore } from '../revocation-store.js';
import type { SharedTokenLevel } from '../shared-token-level.js';
import type { StoreClock } from '../store-clock.js';
import { claimToken, type FoundToken, type TokenStateDeps, type TokenStates } from '../token-state.js';
import { absences } from './absences.js';
import { type AnnouncementLog, announcementLog } from './announcement-log.js';
import type { Scheduler } from './batched-reads.js';
import type { MemoryLimits } from './bounded-memory.js';
import { type Burials, burialsOn } from './burials.js';
import { currentKeys } from './current-keys.js';
import { followedDigestKeys } from './followed-digest-keys.js';
import { interning } from './interned-token.js';
import { joinedReads } from './joined-reads.js';
import { LAST_RESORT_MS, orLastResort, PATIENCE_MS, withinDeadline } from './last-resort.js';
import { tokenKey } from './remembered-token.js';
import { storeReads } from './store-reads.js';
import { type TokenCacheCounters, tokenCacheCounters } from './token-cache-counters.js';
import { tokenMemory } from './token-memory.js';
import { readToken, type TokenReadOutcome } from './token-reader.js';

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
  readonly feed: RevocationFeed;
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
  readonly log: AnnouncementLog;
  readonly counters: Readonly<TokenCacheCounters>;
  readonly memory: { readonly size: number; readonly bytes: number };
}

/** How far back the truth of an answer may lie while everything works, in milliseconds. */
const MAX_AGE_MS = 1_000;
/** How soon a signature is verified again at the latest, by the keys as they then are. */
const VERIFIED_FOR_MS = 60_000;

/**
 * A cache of token states over the stores. On the way to an answer lie, in this order: the memory of this process,
 * trusted only while the feed proves that no announcement is missing but those of the last second; the shared level,
 * for a few seconds after the store was asked; the store, where parallel questions about one token are one question
 * and the questions of one moment one query. When the store fails, what was true a few seconds ago still counts, and
 * then nothing does: the fault is the caller's.
 */
export function cachedTokenStates(options: TokenCacheOptions): TokenCache {
  const { keys, refreshDigestKeys, digester, monotonic, feed, shared, scheduler } = options;
  const counters = tokenCacheCounters();
  const log = announcementLog({ feed, monotonic, maxProofAgeMs: MAX_AGE_MS });
  const burials = burialsOn(shared);
  listen(feed, counters, burials);
  const following = { log, feed, monotonic, scheduler, maxAgeMs: MAX_AGE_MS };
  const digestKeys = followedDigestKeys({ ...following, refreshDigestKeys });
  const memory = tokenMemory({ log, digestKeys, limits: options.limits, lastResortMs: LAST_RESORT_MS });
  const store = storeReads({ ...options, counters });
  const reader = {
    ...options,
    keys: currentKeys({ ...following, keys }),
    digestKeys,
    log,
    counters,
    store,
    absences: absences(),
    burials,
    interning: interning(),
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
  const lastResort = (key: string): FoundToken | undefined => {
    const found = memory.lastResort(key, monotonic());
    if (found !== undefined) counters.lastResorts += 1;
    return found;
  };

  return {
    known: (text) => known(tokenKey(text)),
    read: (text) => {
      const key = tokenKey(text);
      const found = known(key);
      if (found !== undefined) return Promise.resolve(found);
      return orLastResort(readAndKeep(key, text), {
        scheduler,
        patienceMs: PATIENCE_MS,
        lastResort: () => lastResort(key),
      });
    },
    claim: async (text, caller, now) => {
      if (!digestKeys.areCurrent()) await withinDeadline(digestKeys.readAgain(), scheduler);
      const hasEveryKey = digester.hasEveryKey();
      const candidates = digester.candidates('access-token', text);
      try {
        const claimed = claimToken(options.accessTokens, candidates, { caller, now, hasEveryKey });
        const found = await withinDeadline(claimed, scheduler);
        if (found.found) burials.bury(candidates);
        return found;
      } finally {
        // Also when nobody knows whether the claim was carried out.
        log.record(candidates.map(digestName));
        memory.forget(tokenKey(text));
        await burials.settled();
      }
    },
    settle: async () => {
      if (!(await feed.catchUp())) log.distrustEverything();
      await burials.settled();
    },
    log,
    counters,
    memory,
  };
}

/**
 * What a read found. It was told to the memory before: what is not there is forgotten also while nobody can tell whether
 * it is elsewhere, for what was remembered was under a key that is held.
 * @throws KeyEncryptionError when it may be under a key for digests that cannot be opened
 */
function foundIn({ found, isUntold = false }: TokenReadOutcome): FoundToken {
  requireEveryKey(!isUntold);
  return found;
}

/** Counts what is announced, and buries on the shared level what is gone, whoever else does the same. */
function listen(feed: RevocationFeed, counters: TokenCacheCounters, burials: Burials): void {
  feed.subscribe({
    onStarted: () => undefined,
    onAnnouncement: (announcement) => {
      counters.announcements += 1;
      if (announcement.kind === 'everything') counters.interruptions += 1;
      if (announcement.kind === 'tokens') burials.bury(announcement.digests.map(namedDigest));
    },
    onLost: () => {
      counters.interruptions += 1;
    },
  });
}

function namedDigest(name: FactName): Digest {
  return Uint8Array.from(Buffer.from(name, 'base64')) as Uint8Array as Digest;
}
