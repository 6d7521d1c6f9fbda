import type { EpochSeconds } from '@vestibule/protocol';
import type { Client, ClientOrigin, ClientStatus } from '../client.js';

/** Maximum length of a name prefix to search for, in characters. */
export const MAX_NAME_PREFIX_LENGTH = 200;

/** Minimum length of a part of a name to search for, in characters: a single character is in nearly every name. */
export const MIN_NAME_PART_LENGTH = 2;

/** Maximum length of a part of a name to search for, in characters. */
export const MAX_NAME_PART_LENGTH = 200;

/** Filter of clients; all given members must match. */
export interface ClientFilter {
  /** The beginning of `client_name`, ignoring the case of ASCII letters. */
  readonly namePrefix?: string;
  /**
   * A part of `client_name` in any of its languages. Case is ignored in the Latin letters of European languages and
   * Vietnamese, in Greek and in Cyrillic, and the Turkish forms of i are the same.
   */
  readonly namePart?: string;
  /** One of `redirect_uris`, character by character. */
  readonly redirectUri?: string;
  /** One of `contacts` as a whole, ignoring case like `namePart`. */
  readonly contact?: string;
  /** One of `grant_types`. */
  readonly grantType?: string;
  readonly origin?: ClientOrigin;
  readonly softwareId?: string;
  /** Issued after this time. */
  readonly issuedAfter?: EpochSeconds;
  /** Issued before this time. */
  readonly issuedBefore?: EpochSeconds;
  readonly status?: ClientStatus;
}

/** A position in the order of a selection: after this client. */
export interface ClientPosition {
  readonly issuedAtMs: number;
  readonly id: string;
}

/** A selection of clients in the order of issue. Default: all. */
export interface ClientSelection {
  readonly filter?: ClientFilter;
  /** Whether the order is reversed: the last issued client comes first. Default: false. */
  readonly isNewestFirst?: boolean;
  readonly after?: ClientPosition;
  /** Leave out clients that have expired at this time. */
  readonly now?: EpochSeconds;
}

/** A page of clients in the order of their selection. */
export interface ClientPage {
  readonly clients: readonly Client[];
  /** Start of the next page; absent on the last page. */
  readonly next?: ClientPosition;
}
