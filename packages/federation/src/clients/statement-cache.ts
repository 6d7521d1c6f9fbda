import { type Clock, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { StatementCache } from '../chains/discovery-ports.js';

/** What the cache of one process is made of. */
export interface StatementCacheOptions {
  readonly clock: Clock;
  /** How long a statement is kept at most. */
  readonly maxSeconds: number;
  /** Characters of all statements and their addresses together. Default 16 million. */
  readonly maxLength?: number;
}

const MAX_LENGTH = 16_000_000;

/** A statement that is kept is fetched anew at most once in so many seconds. */
const RENEWAL_SECONDS = 10;

interface KeptStatement {
  readonly statement: string;
  readonly until: number;
  /** From when on it may be fetched anew. */
  renewableFrom: number;
}

/** Statements in the memory of this process, in bounded room: those that were put first give way. */
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
