import type { FoundToken } from '../token-state.js';
import { boundedMemory, type MemoryLimits } from './bounded-memory.js';
import type { InvalidatedKeys } from './invalidated-keys.js';
import type { InvalidationLog } from './invalidation-log.js';
import { type RememberedToken, rememberedToken, type TokenReading } from './remembered-token.js';

/** The states of tokens in this process; of tokens, never of what was answered to whom. */
export interface TokenMemory {
  /** The state, when it is known to hold at `nowMs` but for a moment. */
  get(key: string, nowMs: number): FoundToken | undefined;
  /** The state, when nobody can be asked and it was known to hold within the last seconds before `nowMs`. */
  staleFallback(key: string, nowMs: number): FoundToken | undefined;
  /** Keeps what was read. Whether it still holds is judged whenever it is used. */
  keep(key: string, reading: TokenReading): void;
  forget(key: string): void;
  readonly size: number;
  readonly bytes: number;
}

/** What the memory is made of. */
export interface TokenMemoryOptions {
  readonly log: InvalidationLog;
  /** Those under which identifier-based tokens were found. */
  readonly digestKeys: Pick<InvalidatedKeys, 'watermarkMs'>;
  readonly limits: MemoryLimits;
  /** How long after the last proof a state may be used while nobody can be asked, in milliseconds. The same for keys. */
  readonly staleFallbackMs: number;
}

/** An empty memory. Monotonic milliseconds throughout. */
export function tokenMemory({ log, digestKeys, limits, staleFallbackMs }: TokenMemoryOptions): TokenMemory {
  const entries = boundedMemory<RememberedToken>(limits);
  /** Whether the key that it is stored under may have been retired too long ago. */
  const isKeyInDoubt = ({ found }: RememberedToken, nowMs: number) =>
    found.state.format === 'identifier' && nowMs - digestKeys.watermarkMs() >= staleFallbackMs;
  return {
    get: (key, nowMs) => {
      if (!log.isCurrent(nowMs)) return undefined;
      const entry = entries.get(key);
      if (entry === undefined || isOver(entry, entry.usableForMs, nowMs)) return undefined;
      if (!log.isIntact(entry, entry.names) || isKeyInDoubt(entry, nowMs)) return undefined;
      const sequence = log.sequence();
      if (entry.sequence !== sequence) entry.sequence = sequence;
      return entry.found;
    },
    staleFallback: (key, nowMs) => {
      const entry = entries.get(key);
      if (entry === undefined || isOver(entry, entry.staleFallbackForMs, nowMs)) return undefined;
      if (nowMs - log.watermarkMs(entry) >= staleFallbackMs || isKeyInDoubt(entry, nowMs)) return undefined;
      return log.isContradicted(entry, entry.names) ? undefined : entry.found;
    },
    keep: (key, reading) => {
      if (limits.entries < 1) return;
      entries.set(key, rememberedToken(reading));
    },
    forget: entries.delete,
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.bytes;
    },
  };
}

function isOver({ atMs }: RememberedToken, forMs: number | undefined, nowMs: number): boolean {
  return forMs !== undefined && nowMs >= atMs + forMs;
}
