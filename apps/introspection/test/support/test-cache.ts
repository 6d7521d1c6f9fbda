import type { Database } from '@vestibule/database';
import type { Clock } from '@vestibule/protocol';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import {
  cachedTokenStates,
  type PauseGuard,
  type StoreClock,
  type TokenCacheOptions,
  watchClients,
} from '@vestibule/tokens/cache';
import { tagStream } from '@vestibule/tokens/tag-stream';
import { ISSUER } from './test-service.js';

/** What a cache of the tests is composed of. */
export interface TestCacheParts
  extends Pick<
    TokenCacheOptions,
    'clock' | 'digester' | 'keys' | 'refreshDigestKeys' | 'stream' | 'monotonic'
  > {
  readonly database: Pick<Database, 'accessTokens' | 'revocations'>;
}

/** How long a state of the shared level may be used. */
export const SHARED_TTL_MS = 5_000;

/** Composes a token cache with what reads its events. */
export function aTestCache(
  { database, ...parts }: TestCacheParts,
  deviation: Partial<Pick<TokenCacheOptions, 'limits' | 'shared'>> = {},
) {
  const { stream, digester, monotonic } = parts;
  const states = cachedTokenStates({
    ...parts,
    issuer: ISSUER,
    accessTokens: database.accessTokens,
    revocations: database.revocations,
    scheduler: nodeScheduler,
    sharedTtlMs: SHARED_TTL_MS,
    limits: { entries: 10_000, bytes: 1e8 },
    maxQueries: 5,
    ...deviation,
  });
  return {
    states,
    watch: watchClients({ log: states.log, monotonic, scheduler: nodeScheduler }),
    tagStream: tagStream({ stream, digester, monotonic }),
  };
}

/** A clock that is exactly that of the store, on a machine that never pauses. */
export function exactStoreClock(clock: Clock): StoreClock & PauseGuard & { adjust(): Promise<void> } {
  return {
    ...clock,
    errorMs: () => 0,
    jumps: () => 0,
    settle: () => undefined,
    adjust: async () => undefined,
  };
}
