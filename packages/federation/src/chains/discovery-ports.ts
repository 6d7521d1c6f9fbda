import { sha256 } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';

/**
 * Fetches a statement from a foreign server: the body if the response has status 200 and the media type of an entity
 * statement, `undefined` when it cannot be had, whatever the reason. Ends within a bounded time, or soon after `signal`
 * is aborted. Rejects with a `FederationFailure` of reason `overloaded` when there was no room here to ask, and never
 * otherwise.
 */
export type StatementFetcher = (address: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Asks a trust mark status endpoint about a trust mark: the body of a response with status 200 and the media type of a
 * trust mark status response, `undefined` when it cannot be had. Ends and rejects as a {@link StatementFetcher}.
 * @see OpenID Federation 1.0 section 8.4
 */
export type MarkStatusFetcher = (
  address: string,
  mark: string,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Fetches what a resolution needs beside statements. */
export interface DocumentFetchers {
  readonly markStatus: MarkStatusFetcher;
  /** Fetches a signed key set (OpenID Federation 1.0 section 5.2.1), which is no statement. */
  readonly signedKeySet: StatementFetcher;
}

/** What the status of a trust mark is remembered under; no address of a statement holds a space. */
export function markStatusKey(address: string, mark: string): string {
  return `${address} ${Buffer.from(sha256(mark)).toString('base64url')}`;
}

/** Remembers statements that were fetched. Never rejects: a cache that is down knows nothing. */
export interface StatementCache {
  /** A statement that was put under the address and has not expired. */
  get(address: string): Promise<string | undefined>;
  /**
   * Keeps a well-formed statement, whose signature is unchecked, until it expires at the latest; or a trust mark status
   * under its {@link markStatusKey}.
   */
  put(address: string, statement: string, expiresAt: EpochSeconds): Promise<void>;
  /**
   * Whether a statement may be fetched although it is kept: for each address once in a short time, so that no caller
   * causes fetches without end with signatures that do not verify.
   */
  takeRenewal(address: string): Promise<boolean>;
}

/** What one resolution may cost. */
export interface DiscoveryLimits {
  /** The most fetches in all; statements from the cache are free. */
  readonly maxFetches: number;
  /** The most superiors of one entity that are looked at. */
  readonly maxHints: number;
  /** The most paths that are followed at a time: with statements from the cache they cost no fetches. */
  readonly maxPaths: number;
  /** The most fetches at a time. */
  readonly maxParallel: number;
  /** The longest time in which fetches are begun, in milliseconds; those under way end by the signal. */
  readonly maxMs: number;
}

/**
 * What a resolution may cost when nothing else is configured. Its time ends early enough for a refusal, which comes at
 * the next quarter of a second, to be there within five seconds.
 */
export const DEFAULT_DISCOVERY_LIMITS: DiscoveryLimits = {
  maxFetches: 20,
  maxHints: 8,
  maxPaths: 32,
  maxParallel: 4,
  maxMs: 4_500,
};
