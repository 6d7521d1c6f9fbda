import type { Encryptor } from '@vestibule/crypto';
import type { Clock } from '@vestibule/protocol';
import type { SharedTokenLevel, SharedTokenState } from '@vestibule/tokens';
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

/** Why a value that was found is not used, or a state was not written. To the caller all of these are misses. */
export type RefusedEntry =
  | EntryFault
  /** Its time is over, or the store was asked in a future that clocks cannot explain. */
  | 'stale'
  /** A state that could not be read back was not written. */
  | 'unwritable';

/** What the level is made of. */
export interface TokenStateLevelOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  /** How long after the store was asked a state may be used, in milliseconds, default 5,000. */
  readonly ttlMs?: number;
  /** Encrypts states. Without it who can read Redis learns what names people, and who can write it makes tokens. */
  readonly encryptor?: Encryptor;
  /** Is told of each entry that is refused. Must not throw. */
  readonly onRefused?: (reason: RefusedEntry) => void;
}

const TTL_MS = 5_000;
/**
 * How many of these lifetimes a tombstone lives. Nothing is filled in that was read longer ago than one, so that one
 * would do if no command were ever slow on its way.
 */
const TOMBSTONE_LIFETIMES = 2;
/**
 * How much sooner than its use an entry ends, in milliseconds: more than a command takes on its way as a rule. One that
 * is there still when nobody may use it stands in the way of the next.
 */
const ENDS_EARLIER_MS = 20;
/**
 * Further ahead than clocks can be that go by one store: such a state was planted, or the clock of the store was set.
 */
const CLOCK_SKEW_MS = 1_000;
/** Few enough to be written well within the time for a command. */
const TOMBSTONE_BATCH = 250;

const UNKNOWN = { outcome: 'unavailable' } as const;
const MISS = { outcome: 'miss' } as const;
const DEAD = { outcome: 'dead' } as const;

/**
 * The shared level in Redis. Every command is about one key, so that a cluster serves it too. Burying overwrites and
 * filling does not (`SET NX`); a tombstone outlives every fill that may still be on its way; and each state says when
 * the store was asked, so that one is refused after its time even where the server stored it late or lost a tombstone.
 */
export function tokenStateLevel(options: TokenStateLevelOptions): SharedTokenLevel {
  return {
    get: (digest) => getState(options, digestText(digest)),
    fill: (digest, token, readAtMs) => fillState(options, digestText(digest), { token, readAtMs }),
    invalidate: async (digests) => {
      let outcome: 'buried' | 'unavailable' = 'buried';
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
  // One byte more is asked for than any entry has: however much was planted there, no more is transferred.
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
 * Until when a state may be used. The registration of a client can be renewed at any moment, so that only the store
 * can say that it has ended.
 */
function endOfUseMs({ token, readAtMs }: LiveEntry, ttlMs: number): number {
  const { expiresAt, clientExpiresAt = expiresAt } = token;
  return Math.min(readAtMs + ttlMs, expiresAt * 1000, clientExpiresAt * 1000);
}

async function fillState(options: TokenStateLevelOptions, digest: string, state: LiveEntry): Promise<void> {
  const { redis, clock, encryptor, ttlMs = TTL_MS, onRefused } = options;
  const remainingMs = () =>
    Math.floor(Math.min(ttlMs, endOfUseMs(state, ttlMs) - clock.nowMs()) - ENDS_EARLIER_MS);
  // What was read that long ago is of no use, and the tombstone that would stop it may be gone.
  if (remainingMs() < 1) return;
  const entry = await writeEntry(digest, state, encryptor);
  if (entry === undefined) {
    onRefused?.('unwritable');
    return;
  }
  // Sealing took a while.
  const lifetimeMs = remainingMs();
  if (lifetimeMs < 1) return;
  await redis.run((commands) => commands.set(cacheKey('token', digest), entry, 'PX', lifetimeMs, 'NX'));
}

/** Whether every tombstone is known to be written. */
async function invalidateBatch(
  options: TokenStateLevelOptions,
  digests: readonly string[],
): Promise<boolean> {
  const { redis, ttlMs = TTL_MS } = options;
  const outcome = await redis.run((commands) =>
    Promise.all(
      digests.map((digest) =>
        commands.set(cacheKey('token', digest), tombstone(digest), 'PX', ttlMs * TOMBSTONE_LIFETIMES),
      ),
    ),
  );
  return outcome !== UNAVAILABLE;
}
