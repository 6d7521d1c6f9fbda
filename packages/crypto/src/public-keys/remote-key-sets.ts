import type { Clock } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { boundedMap } from '@vestibule/protocol/runtime';
import type { VerificationKeySource } from '../jwt/jose-keys.js';
import type { KeySetFetcher } from './key-set-fetcher.js';
import type { PublicJwkSet } from './public-jwk-set.js';
import { createRemoteKeySet, type RemoteKeySet } from './remote-key-set.js';
import { hasVerificationKey, selectVerificationKeys } from './select-public-keys.js';

/** Dependencies of remote key sets. Times are milliseconds. */
export interface RemoteKeySetsOptions {
  readonly fetch: KeySetFetcher;
  readonly clock: Clock;
  /** How long a fetched set is used without fetching it again. Default 600,000: 10 minutes. */
  readonly freshMs?: number;
  /**
   * How long a fetched set may be used at most if no later one is available, and so a withdrawn key. Default 1,800,000:
   * 30 minutes.
   */
  readonly usableMs?: number;
  /** Minimum time between two fetches from one URL, whatever tokens request and however fetches end. Default 30,000. */
  readonly intervalMs?: number;
  /** Maximum number of cached URLs; the least recently used one is evicted. Default 1000. */
  readonly maxAddresses?: number;
}

/** Key sets at URLs that clients or entities registered, such as `jwks_uri`. */
export interface RemoteKeySets {
  /**
   * Finds the keys at a URL that may verify a token. If there is none, the set is fetched again, unless that was done
   * within the interval. None if the set is not available, or if no public key verifies the algorithm.
   */
  readonly verificationKeys: (address: string) => VerificationKeySource;
  /**
   * Returns the key set at a URL, fetched if it is missing or stale; `undefined` if it is not available.
   * @param isGoodEnough if it returns false, the set is fetched again, unless that was done within the interval; the
   *   result may still not be good enough
   */
  readonly keySet: (
    address: string,
    isGoodEnough?: (keySet: PublicJwkSet) => boolean,
  ) => Promise<PublicJwkSet | undefined>;
}

const DEFAULTS = { freshMs: 600_000, usableMs: 1_800_000, intervalMs: 30_000, maxAddresses: 1000 };

/** Creates an empty cache of key sets, which fetches on demand. Use one per process. */
export function createRemoteKeySets(options: RemoteKeySetsOptions): RemoteKeySets {
  const settings = { ...DEFAULTS, ...options };
  const known = boundedMap<string, RemoteKeySet>({ maxEntries: settings.maxAddresses });
  const remote = (address: string) => {
    const found = known.get(address) ?? createRemoteKeySet(address, settings);
    // Each use makes it the newest entry.
    known.set(address, found);
    return found;
  };
  const keySet = (address: string, isGoodEnough: (keySet: PublicJwkSet) => boolean = () => true) =>
    remote(address).get(isGoodEnough);
  return {
    keySet,
    verificationKeys: (address) => async (hint) => {
      const algorithm = ASYMMETRIC_ALGORITHMS.find((candidate) => candidate === hint.alg);
      if (algorithm === undefined) return [];
      const found = await keySet(address, (held) => hasVerificationKey(held, algorithm, hint.kid));
      return found === undefined ? [] : selectVerificationKeys(found, hint);
    },
  };
}
