import { type Clock, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { StatementCache } from '../chains/discovery-ports.js';

/** Options of the cache of one process. */
export interface StatementCacheOptions {
  readonly clock: Clock;
  /** Maximum time for which a statement is cached. */
  readonly maxSeconds: number;
  /** Maximum number of characters of all statements and their URLs. Default: 16 million. */
  readonly maxLength?: number;
}

const MAX_LENGTH = 16_000_000;

/** Minimum time between two renewals of a cached statement, in seconds. */
const RENEWAL_SECONDS = 10;

interface KeptStatement {
  readonly statement: string;
  readonly until: number;
  /** The time from which it may be fetched again. */
  renewableFrom: number;
}

/** Caches statements in this process within bounded memory; the oldest entries are evicted. */
export function statementCache({
  clock,
  maxSeconds,
  maxLength = MAX_LENGTH,
}: StatementCacheOptions): StatementCache {
  const kept = boundedMap<string, KeptStatement>({
    maxSize: maxLength,
    sizeOf: (address, { statement }) => address.length + statement.length,
  });
  return {
    get: async (address) => {
      const found = kept.get(address);
      if (found === undefined) return undefined;
      if (nowSeconds(clock) < found.until) return found.statement;
      kept.delete(address);
      return undefined;
    },
    put: async (address: string, statement: string, expiresAt: EpochSeconds) => {
      const renewableFrom = kept.get(address)?.renewableFrom ?? 0;
      const until = Math.min(expiresAt, nowSeconds(clock) + maxSeconds);
      kept.set(address, { statement, until, renewableFrom });
    },
    takeRenewal: async (address) => {
      const found = kept.get(address);
      if (found === undefined) return true;
      if (nowSeconds(clock) < found.renewableFrom) return false;
      found.renewableFrom = nowSeconds(clock) + RENEWAL_SECONDS;
      return true;
    },
  };
}
