import type { Digest } from '@vestibule/crypto';
import type { Clock, EpochSeconds } from '@vestibule/protocol';
import { cacheKey, digestText } from './cache-key.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';

/** Whether an assertion was used before. */
export type ReplayOutcome =
  /** This is the first use, and no later one will be. */
  | 'fresh'
  | 'replayed'
  /** Nothing is known: whoever asked has to ask a store that can say, and refuse when there is none. */
  | 'unavailable';

/** Remembers what may be used once (RFC 7519 section 4.1.7, RFC 7523 section 3). */
export interface ReplayStore {
  /**
   * Claims the only use of an assertion, to be called once its signature is verified. Of any number of parallel claims
   * exactly one is `fresh`. An instance that fails over or is flushed forgets claims.
   * @param digest over the client and the `jti`
   * @param expiresAt until when, besides the clock skew that is tolerated, the assertion could be accepted
   */
  claim(digest: Digest, expiresAt: EpochSeconds): Promise<ReplayOutcome>;
}

/** What the store is made of. */
export interface ReplayStoreOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  /** How long after its expiry an assertion may still be accepted somewhere, in seconds, default 60. */
  readonly clockSkewSeconds?: number;
}

const CLOCK_SKEW_SECONDS = 60;
const USED = '1';

/** Single use by Redis. A claim that was given up may have been carried out: it never makes a replay fresh. */
export function replayStore({
  redis,
  clock,
  clockSkewSeconds = CLOCK_SKEW_SECONDS,
}: ReplayStoreOptions): ReplayStore {
  return {
    claim: async (digest, expiresAt) => {
      const remainingMs = Math.ceil((expiresAt + clockSkewSeconds) * 1000 - clock.nowMs());
      // Redis has no entry that lives for no time. What expired that long ago is accepted nowhere.
      const ttlMs = Math.max(remainingMs, 1);
      const key = cacheKey('assertion', digestText(digest));
      const reply = await redis.run((commands) => commands.set(key, USED, 'PX', ttlMs, 'NX'));
      if (reply === UNAVAILABLE) return 'unavailable';
      return reply === 'OK' ? 'fresh' : 'replayed';
    },
  };
}
