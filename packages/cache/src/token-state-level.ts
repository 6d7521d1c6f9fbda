import type { Encryptor } from '@vestibule/crypto/data-keys';
import type { Clock } from '@vestibule/protocol';
import type { SharedTokenLevel, SharedTokenState } from '@vestibule/tokens/cache';
import { cacheKey, digestText } from './cache-key.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';
import {
  type EntryFault,
  type LiveEntry,
  MAX_ENTRY_BYTES,
  readEntry,
  tombstone,
  writeEntry,
} from './token-state-entry.js';

/** Why a value was not used, or a state was not written. For the caller all of these are misses. */
export type RefusedEntry =
  | EntryFault
  /** Older than `ttlMs`, or dated further in the future than clocks can differ. */
  | 'stale'
  /** Not written, because it could not be read back. */
  | 'unwritable';

/** Options of the shared level. */
export interface TokenStateLevelOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  /** How long a state may be used after the store was read, in milliseconds. Default 5,000. */
  readonly ttlMs?: number;
  /** Encrypts states. Without it, read access to Redis reveals personal data, and write access can forge tokens. */
  readonly encryptor?: Encryptor;
  /** Called for each entry that is not used. Must not throw. */
  readonly onRefused?: (reason: RefusedEntry) => void;
}

const TTL_MS = 5_000;
/**
 * Lifetime of a tombstone as a multiple of `ttlMs`. States that were read longer ago than one `ttlMs` are not filled
 * in, so one would do if commands were never delayed on their way.
 */
const TOMBSTONE_LIFETIMES = 2;
/**
 * How much earlier than its last use an entry expires, in milliseconds: more than a command usually takes on its way.
 * An entry that is too old to be used but not yet expired would block the next fill.
 */
const ENDS_EARLIER_MS = 20;
/**
 * How far a state may be dated ahead. Clocks that follow one store do not differ by more, so the state was forged or
 * the clock of the store was changed.
 */
const CLOCK_SKEW_MS = 1_000;
/** Small enough to be written well within the command timeout. */
const TOMBSTONE_BATCH = 250;

const UNKNOWN = { outcome: 'unavailable' } as const;
const MISS = { outcome: 'miss' } as const;
const DEAD = { outcome: 'tombstone' } as const;

/**
 * Creates the shared level in Redis. Every command has one key, so that clusters work too. Invalidating overwrites and
 * filling does not (`SET NX`); a tombstone outlives every fill that may still be on its way; and each state contains
 * the time at which the store was read, so it is not used after `ttlMs` even if the server stored it late or lost a
 * tombstone.
 */
export function tokenStateLevel(options: TokenStateLevelOptions): SharedTokenLevel {
  return {
    get: (digest) => getState(options, digestText(digest)),
    fill: (digest, token, readAtMs) => fillState(options, digestText(digest), { token, readAtMs }),
    invalidate: async (digests) => {
      let outcome: 'invalidated' | 'unavailable' = 'invalidated';
      for (let first = 0; first < digests.length; first += TOMBSTONE_BATCH) {
        const batch = digests.slice(first, first + TOMBSTONE_BATCH).map(digestText);
        if (!(await invalidateBatch(options, batch))) outcome = 'unavailable';
      }
      return outcome;
    },
  };
}

async function getState(options: TokenStateLevelOptions, digest: string): Promise<SharedTokenState> {
  const { redis, clock, encryptor, ttlMs = TTL_MS, onRefused } = options;
  const key = cacheKey('token', digest);
  // One byte more than the largest entry, so that a forged large value is not transferred as a whole.
  const text = await redis.run((commands) => commands.getrange(key, 0, MAX_ENTRY_BYTES));
  if (text === UNAVAILABLE) return UNKNOWN;
  if (text === '') return MISS;
  const entry = await readEntry(digest, text, encryptor);
  if (entry === 'dead') return DEAD;
  if (typeof entry === 'string') {
    onRefused?.(entry);
    return MISS;
  }
  const nowMs = clock.nowMs();
  if (nowMs >= endOfUseMs(entry, ttlMs) || nowMs < entry.readAtMs - CLOCK_SKEW_MS) {
    onRefused?.('stale');
    return MISS;
  }
  return { outcome: 'live', token: entry.token, readAtMs: entry.readAtMs };
}

/**
 * Calculates until when a state may be used. The expiry of the client does not count, because its registration can be
 * renewed at any moment and only the store knows.
 */
function endOfUseMs({ token, readAtMs }: LiveEntry, ttlMs: number): number {
  const { expiresAt, clientExpiresAt = expiresAt } = token;
  return Math.min(readAtMs + ttlMs, expiresAt * 1000, clientExpiresAt * 1000);
}

async function fillState(options: TokenStateLevelOptions, digest: string, state: LiveEntry): Promise<void> {
  const { redis, clock, encryptor, ttlMs = TTL_MS, onRefused } = options;
  const remainingMs = () =>
    Math.floor(Math.min(ttlMs, endOfUseMs(state, ttlMs) - clock.nowMs()) - ENDS_EARLIER_MS);
  // The state is too old to be used, and a tombstone that would block it may have expired.
  if (remainingMs() < 1) return;
  const entry = await writeEntry(digest, state, encryptor);
  if (entry === undefined) {
    onRefused?.('unwritable');
    return;
  }
  // Encrypting took time.
  const lifetimeMs = remainingMs();
  if (lifetimeMs < 1) return;
  const key = cacheKey('token', digest);
  await redis.run((commands) => commands.set(key, entry, { ttlMs: lifetimeMs, onlyIfAbsent: true }));
}

/** Writes tombstones. True when all of them are known to be written. */
async function invalidateBatch(
  options: TokenStateLevelOptions,
  digests: readonly string[],
): Promise<boolean> {
  const { redis, ttlMs = TTL_MS } = options;
  const outcome = await redis.run((commands) =>
    Promise.all(
      digests.map((digest) =>
        commands.set(cacheKey('token', digest), tombstone(digest), { ttlMs: ttlMs * TOMBSTONE_LIFETIMES }),
      ),
    ),
  );
  return outcome !== UNAVAILABLE;
}
