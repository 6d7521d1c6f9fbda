import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import type { ImportedTokenKind } from './imported-token.js';

/** A token to store. */
export interface ImportedTokenRecord {
  readonly kind: ImportedTokenKind;
  /** The digests of the token under every key; it is stored under the first. */
  readonly digests: readonly [Digest, ...Digest[]];
  /** SHA-256 over everything that was sent about the token except its text. */
  readonly facts: Uint8Array;
  /** Of a refresh token, client, subject, scope, times and session are stored. */
  readonly token: AccessToken;
}

/** What became of a token. */
export type ImportOutcome =
  | 'stored'
  /** It was imported before with the same facts, and is still stored. */
  | 'unchanged'
  /**
   * It was revoked here, on its own, or with its client, subject or session in the second of its issue or later; or it is
   * not known whether it was, because a digest key that it may have been imported under is retired.
   */
  | 'revoked';

/** Why a token was refused. */
export type ImportConflict =
  | 'unknown_client'
  /** It was imported before with other facts. */
  | 'other_facts'
  /** A token with this text was issued here. */
  | 'issued_here'
  /** The session belongs to another subject. */
  | 'foreign_session';

/** Options of {@link ImportedTokenStore.add}. */
export interface ImportOptions {
  /** Whether nothing is stored if any of the tokens is refused. */
  readonly isAllOrNone: boolean;
  readonly now: EpochSeconds;
}

/** Stores imported tokens beside those that were issued here. */
export interface ImportedTokenStore {
  /**
   * Adds each token before or after any revocation: a token that is stored when this returns is revoked by every later
   * revocation, and an earlier one is taken into account. Of parallel calls with one token, one stores it. An imported token
   * is known until it expires, so that importing it again does not bring it back after a revocation. After a fault, some of
   * the tokens may be stored; the same call stores the others.
   * @param records with different digests
   * @returns the result of each record, in order; with `isAllOrNone` and any conflict, nothing was stored
   */
  add(
    records: readonly ImportedTokenRecord[],
    options: ImportOptions,
  ): Promise<readonly (ImportOutcome | ImportConflict)[]>;
}
