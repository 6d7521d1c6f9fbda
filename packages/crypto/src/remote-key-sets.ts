import { ASYMMETRIC_ALGORITHMS, type Clock } from '@vestibule/protocol';
import type { VerificationKeySource } from './jose-keys.js';
import type { KeySetFetcher } from './key-set-fetcher.js';
import type { PublicJwkSet } from './public-jwk-set.js';
import { createRemoteKeySet, type RemoteKeySet } from './remote-key-set.js';
import { hasVerificationKey, selectVerificationKeys } from './select-public-keys.js';

/** What holding key sets behind addresses takes. Times are milliseconds. */
export interface RemoteKeySetsOptions {
  readonly fetch: KeySetFetcher;
  readonly clock: Clock;
  /** How long a fetched set is used without a look at its address. Default 600,000: 10 minutes. */
  readonly freshMs?: number;
  /**
   * How long a fetched set may be used at most, when no later one can be had: a key that its owner withdrew lives no
   * longer. Default 1,800,000: 30 minutes.
   */
  readonly usableMs?: number;
  /**
   * The least time between two fetches from one address, whatever tokens ask for and however fetches end. Default
   * 30,000.
   */
  readonly intervalMs?: number;
  /** The most addresses that are remembered; the one not used for longest is forgotten first. Default 1000. */
  readonly maxAddresses?: number;
}

/** The key sets behind addresses that others registered, such as `jwks_uri`. */
export interface RemoteKeySets {
  /**
   * The keys of an address that may verify a token. When it has none the set is fetched once more, unless that was done
   * within the interval. None for a set that cannot be had, and for an algorithm that no public key verifies.
   */
  readonly verificationKeys: (address: string) => VerificationKeySource;
  /**
   * The key set at an address, fetched when it is missing or no longer fresh; `undefined` when it cannot be had.
   * @param isGoodEnough when it says no, the set is fetched once more, unless that was done within the interval; the
   *   result need not be good enough either.
   */
  readonly keySet: (
    address: string,
    isGoodEnough?: (keySet: PublicJwkSet) => boolean,
  ) => Promise<PublicJwkSet | undefined>;
}

const DEFAULTS = { freshMs: 600_000, usableMs: 1_800_000, intervalMs: 30_000, maxAddresses: 1000 };

/** Opens an empty memory of key sets; nothing is fetched before it is asked for. One per process. */
export function createRemoteKeySets(options: RemoteKeySetsOptions): RemoteKeySets {
  const settings = { ...DEFAULTS, ...options };
  const known = new Map<string, RemoteKeySet>();
  const remote = (address: string) => {
    const found = known.get(address) ?? createRemoteKeySet(address, settings);
    // A map keeps the order of insertion: the first one is always the one not used for longest.
    known.delete(address);
    known.set(address, found);
    for (const oldest of known.keys()) {
      if (known.size <= settings.maxAddresses) break;
      known.delete(oldest);
    }
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
