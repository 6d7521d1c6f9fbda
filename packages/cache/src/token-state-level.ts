import type { Digest, Sealer } from '@vestibule/crypto';
import type { Clock } from '@vestibule/protocol';
import type { AccessToken } from '@vestibule/tokens';
import { cacheKey, digestText } from './cache-key.js';
import { type RedisConnection, UNAVAILABLE } from './redis-connection.js';
import { type EntryFault, MAX_ENTRY_BYTES, readEntry, tombstone, writeEntry } from './token-state-entry.js';

/** What the shared level says about a token. */
export type SharedTokenState =
  /** Known, and not revoked by what the store said at `readAtMs`. Expiry and audience are the caller's to check. */
  | { readonly outcome: 'live'; readonly token: AccessToken; readonly readAtMs: number }
  /** Buried a moment ago. */
  | { readonly outcome: 'dead' }
  /** Not known here; the store decides, and its answer may be filled in. */
  | { readonly outcome: 'miss' }
  /** Nobody can be asked; the store decides. */
  | { readonly outcome: 'unavailable' };

/** Why a value that was found is not used, or a state was not written. To the caller all of these are misses. */
export type RefusedEntry =
  | EntryFault
  /** The store was asked too long ago, or in a future that clocks cannot explain. */
  | 'stale'
  /** A state that could not be read back was not written. */
  | 'unwritable';

/**
 * The second level of the token cache, which all processes share; only for tokens that the store knows. Nothing here
 * rejects: a fault is an outcome.
 *
 * A dead token does not come back: burying overwrites with a tombstone, filling never overwrites, a tombstone outlives
 * every fill that may still come, and a state carries the time at which the store was asked, so that one that arrives
 * late is refused by whoever reads it. Whatever is lost on the way, a state is used for no longer than its time to
 * live after the store was asked; who keeps one elsewhere counts from `readAtMs` too.
 */
export interface TokenStateLevel {
  /** What is known of the token with a digest. Calls of one turn of the event loop travel together. */
  get(digest: Digest): Promise<SharedTokenState>;
  /**
   * Remembers a token that the store knows, unless there is an entry already.
   * @param digest the one that the token is stored under, because that is the one that a revocation names
   * @param readAtMs the present as it was before the store was asked, in milliseconds
   */
  fill(digest: Digest, token: AccessToken, readAtMs: number): Promise<void>;
  /**
   * Buries tokens, to be called once the store has committed. Any number; repeating it is harmless.
   * `unavailable` when not every tombstone is known to be written: states may then be used until their time is over.
   */
  bury(digests: readonly Digest[]): Promise<'buried' | 'unavailable'>;
}

/** What the level is made of. */
export interface TokenStateLevelOptions {
  readonly redis: RedisConnection;
  readonly clock: Clock;
  /** How long after the store was asked a state may be used, in milliseconds, default 5,000. */
  readonly ttlMs?: number;
  /** Seals states. Without it who can read Redis learns what names people, and who can write it makes tokens. */
  readonly sealer?: Sealer;
  /** Is told of each entry that is refused. Must not throw. */
  readonly onRefused?: (reason: RefusedEntry) => void;
}

const TTL_MS = 5_000;
/**
 * How many of these lifetimes a tombstone lives. Nothing is filled in that was read longer ago than one, so that one
 * would do if no command were ever slow on its way.
 */
const TOMBSTONE_LIFETIMES = 2;
/** How far the clock of the process that filled may be ahead of ours. */
const CLOCK_SKEW_MS = 1_000;
/** Few enough to be written well within the time for a command. */
const BURIAL_BATCH = 250;

const UNKNOWN = { outcome: 'unavailable' } as const;
const MISS = { outcome: 'miss' } as const;
const DEAD = { outcome: 'dead' } as const;

/** The shared level in Redis. Every command is about one key, so that a cluster serves it too. */
export function tokenStateLevel(options: TokenStateLevelOptions): TokenStateLevel {
  return {
    get: (digest) => getState(options, digestText(digest)),
    fill: (digest, token, readAtMs) => fillState(options, digestText(digest), { token, readAtMs }),
    bury: async (digests) => {
      let outcome: 'buried' | 'unavailable' = 'buried';
      for (let first = 0; first < digests.length; first += BURIAL_BATCH) {
        const batch = digests.slice(first, first + BURIAL_BATCH).map(digestText);
        if (!(await buryBatch(options, batch))) outcome = 'unavailable';
      }
      return outcome;
    },
  };
}

async function getState(options: TokenStateLevelOptions, digest: string): Promise<SharedTokenState> {
  const { redis, clock, sealer, ttlMs = TTL_MS, onRefused } = options;
  const key = cacheKey('token', digest);
  // One byte more is asked for than any entry has: however much was planted there, no more is transferred.
  const text = await redis.run((commands) => commands.getrange(key, 0, MAX_ENTRY_BYTES));
  if (text === UNAVAILABLE) return UNKNOWN;
  if (text === '') return MISS;
  const entry = await readEntry(digest, text, sealer);
  if (entry === 'dead') return DEAD;
  if (typeof entry === 'string') {
    onRefused?.(entry);
    return MISS;
  }
  const ageMs = clock.nowMs() - entry.readAtMs;
  if (ageMs >= ttlMs || ageMs < -CLOCK_SKEW_MS) {
    onRefused?.('stale');
    return MISS;
  }
  return { outcome: 'live', token: entry.token, readAtMs: entry.readAtMs };
}

async function fillState(
  options: TokenStateLevelOptions,
  digest: string,
  state: { readonly token: AccessToken; readonly readAtMs: number },
): Promise<void> {
  const { redis, clock, sealer, ttlMs = TTL_MS, onRefused } = options;
  const nowMs = clock.nowMs();
  const remainingMs = Math.floor(
    Math.min(ttlMs, state.readAtMs + ttlMs - nowMs, state.token.expiresAt * 1000 - nowMs),
  );
  // What was read that long ago is of no use, and the tombstone that would stop it may be gone.
  if (remainingMs < 1) return;
  const entry = await writeEntry(digest, state, sealer);
  if (entry === undefined) {
    onRefused?.('unwritable');
    return;
  }
  await redis.run((commands) => commands.set(cacheKey('token', digest), entry, 'PX', remainingMs, 'NX'));
}

/** Whether every tombstone is known to be written. */
async function buryBatch(options: TokenStateLevelOptions, digests: readonly string[]): Promise<boolean> {
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
