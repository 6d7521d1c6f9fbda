import { isDeepStrictEqual } from 'node:util';
import { coalescedRuns } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { KeyHint } from '../jwt/jose-keys.js';
import type { PublicJwkSet, PublicJwkSetResult } from './public-jwk-set.js';
import { countVerificationKeys, type PublishedKey, selectVerificationKeys } from './select-public-keys.js';

/** Options of {@link followKeySet}. Times are milliseconds. */
export interface FollowedKeySetOptions {
  /** Reads the set from its source. Ends within a bounded time, and never rejects. */
  readonly read: () => Promise<PublicJwkSetResult>;
  readonly monotonic: MonotonicClock;
  /** Age from which the set is read again before it is used. Default 60,000. */
  readonly freshMs?: number;
  /** How long a set is used after it was read, if all later reads fail. Default 1,800,000: 30 minutes. */
  readonly usableMs?: number;
  /** Minimum time between two reads that lookups cause, however reads end. Default 5,000. */
  readonly intervalMs?: number;
}

/** A key set of another server of the same operator, whose owner calls `refresh` at intervals. */
export interface FollowedKeySet {
  /**
   * Finds the keys that may verify a token: with its `kid`, or the only one for its `alg` if it has no `kid`. If there
   * is none, the set is read again, unless that was done within the interval. Parallel lookups share a read.
   * @throws KeySetUnavailableError when the set could not be read, so that the key may exist
   */
  readonly publishedKeys: (hint: KeyHint) => Promise<readonly PublishedKey[]>;
  /** Reads the set again. If that fails, the present keys stay in use for a limited time. */
  readonly refresh: () => Promise<void>;
  /** Calls a function after each change of the keys. */
  readonly onChange: (listener: () => void) => void;
  /** Milliseconds since the keys in use were read; `Infinity` before the first successful read. */
  readonly ageMs: () => number;
  /** Number of keys in use that verify signatures. */
  readonly size: () => number;
  /** Why the last read failed; `undefined` if it succeeded. A sentence without values from the set. */
  readonly problem: () => string | undefined;
}

/** Thrown when a token cannot be verified because the key set cannot be read. */
export class KeySetUnavailableError extends Error {
  override readonly name = 'KeySetUnavailableError';
}

const DEFAULTS = { freshMs: 60_000, usableMs: 1_800_000, intervalMs: 5_000 };

/** Follows the key set at one place, starting with none. Reads happen on `refresh` and on lookups. */
export function followKeySet(options: FollowedKeySetOptions): FollowedKeySet {
  const { read, monotonic, freshMs, usableMs, intervalMs } = { ...DEFAULTS, ...options };
  const listeners: (() => void)[] = [];
  let jwks: PublicJwkSet | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let problem: string | undefined;

  const ageMs = () => monotonic() - readAtMs;
  const replace = (next: PublicJwkSet | undefined) => {
    // The imported keys belong to the objects of the set.
    if (isDeepStrictEqual(jwks?.keys, next?.keys)) return;
    jwks = next;
    for (const listener of listeners) listener();
  };
  const dropIfOutdated = () => {
    if (ageMs() >= usableMs) replace(undefined);
  };
  const readings = coalescedRuns(async () => {
    const begunAtMs = monotonic();
    triedAtMs = begunAtMs;
    const result = await read();
    problem = result.ok ? undefined : result.reason;
    if (result.ok) {
      readAtMs = begunAtMs;
      replace(result.jwks);
    } else dropIfOutdated();
  });
  const refreshUnlessJustTried = async () => {
    await (monotonic() - triedAtMs < intervalMs ? readings.current : readings.next());
  };
  /** While reads fail, lookups do not wait for them as long as there are keys. */
  const refreshIfStale = async () => {
    if (ageMs() < freshMs) return;
    dropIfOutdated();
    const refreshed = refreshUnlessJustTried();
    if (problem === undefined || jwks === undefined) await refreshed;
  };
  const find = async (hint: KeyHint): Promise<readonly PublishedKey[]> => {
    const keys = jwks === undefined ? [] : await selectVerificationKeys(jwks, hint);
    return hint.kid === undefined && keys.length > 1 ? [] : keys;
  };

  return {
    publishedKeys: async (hint) => {
      if (!ASYMMETRIC_ALGORITHMS.some((algorithm) => algorithm === hint.alg)) return [];
      await refreshIfStale();
      const known = await find(hint);
      if (known.length > 0) return known;
      await refreshUnlessJustTried();
      const found = await find(hint);
      if (found.length === 0 && problem !== undefined) throw new KeySetUnavailableError(problem);
      return found;
    },
    refresh: readings.next,
    onChange: (listener) => {
      listeners.push(listener);
    },
    ageMs,
    size: () => (jwks === undefined ? 0 : countVerificationKeys(jwks)),
    problem: () => problem,
  };
}
