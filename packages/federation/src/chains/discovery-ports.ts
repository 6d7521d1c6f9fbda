import { sha256 } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';

/**
 * Fetches a statement from another server: the body if the response has status 200 and the media type of an entity
 * statement, and `undefined` if it is unavailable for any reason. Ends within a bounded time, or soon after `signal` is
 * aborted. Rejects only with a `FederationFailure` of reason `overloaded`, if there was no capacity for the request.
 */
export type StatementFetcher = (address: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Requests the status of a trust mark from a status endpoint: the body of a response with status 200 and the media type
 * of a trust mark status response, and `undefined` if it is unavailable. Ends and rejects like a {@link
 * StatementFetcher}.
 * @see OpenID Federation 1.0 section 8.4
 */
export type MarkStatusFetcher = (
  address: string,
  mark: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Fetches the documents besides statements that a resolution needs. */
export interface DocumentFetchers {
  readonly markStatus: MarkStatusFetcher;
  /** Fetches a signed key set (OpenID Federation 1.0 section 5.2.1), which is not a statement. */
  readonly signedKeySet: StatementFetcher;
}

/** Cache key of the status of a trust mark; no URL of a statement contains a space. */
export function markStatusKey(address: string, mark: string): string {
  return `${address} ${Buffer.from(sha256(mark)).toString('base64url')}`;
}

/** Caches fetched statements. Never rejects: an unavailable cache returns nothing. */
export interface StatementCache {
  /** A statement that was stored for the URL and has not expired. */
  get(address: string): Promise<string | undefined>;
  /**
   * Stores a well-formed statement, whose signature is unchecked, at most until it expires; or a trust mark status
   * under its {@link markStatusKey}.
   */
  put(address: string, statement: string, expiresAt: EpochSeconds): Promise<void>;
  /**
   * Whether a cached statement may be fetched again: once in a short time for each URL, so that invalid signatures
   * cannot cause unlimited fetches.
   */
  takeRenewal(address: string): Promise<boolean>;
}

/** Limits of one resolution. */
export interface DiscoveryLimits {
  /** Maximum number of fetches in total; cached statements do not count. */
  readonly maxFetches: number;
  /** Maximum number of superiors of one entity that are tried. */
  readonly maxHints: number;
  /** Maximum number of paths that are followed in parallel; with cached statements they cause no fetches. */
  readonly maxPaths: number;
  /** Maximum number of parallel fetches. */
  readonly maxParallel: number;
  /** Time in milliseconds after which no fetch starts; running fetches end by the signal. */
  readonly maxMs: number;
}

/**
 * The default limits of a resolution. Its time ends early enough for a refusal, which is sent at the next quarter of a
 * second, to arrive within five seconds.
 */
export const DEFAULT_DISCOVERY_LIMITS: DiscoveryLimits = {
  maxFetches: 20,
  maxHints: 8,
  maxPaths: 32,
  maxParallel: 4,
  maxMs: 4_500,
};
