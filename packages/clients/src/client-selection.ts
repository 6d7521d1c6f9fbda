import type { EpochSeconds } from '@vestibule/protocol';
import type { Client, ClientOrigin, ClientStatus } from './client.js';

/** The longest prefix of a name that can be looked for, in characters. */
export const MAX_NAME_PREFIX_LENGTH = 200;

/** The shortest part of a name that can be looked for, in characters: a single one is in nearly every name. */
export const MIN_NAME_PART_LENGTH = 2;

/** The longest part of a name that can be looked for, in characters. */
export const MAX_NAME_PART_LENGTH = 200;

/** What clients have in common that are looked for; every member that is there must hold. */
export interface ClientFilter {
  /** The beginning of `client_name`, ignoring the case of ASCII letters. */
  readonly namePrefix?: string;
  /**
   * What `client_name` holds, in any language that it is given in. Upper and lower case are the same in the Latin
   * letters of European languages and Vietnamese, in Greek and in Cyrillic; so are the Turkish forms of i.
   */
  readonly namePart?: string;
  /** One of `redirect_uris`, character by character. */
  readonly redirectUri?: string;
  /** One of `contacts`, as a whole, in upper or lower case as in `namePart`. */
  readonly contact?: string;
  /** One of `grant_types`. */
  readonly grantType?: string;
  readonly origin?: ClientOrigin;
  readonly softwareId?: string;
  /** Issued later than in this second. */
  readonly issuedAfter?: EpochSeconds;
  /** Issued before this second. */
  readonly issuedBefore?: EpochSeconds;
  readonly status?: ClientStatus;
}

/** A place in the order of issue: behind the client of that identifier. */
export interface ClientPosition {
  readonly issuedAtMs: number;
  readonly id: string;
}

/** Which clients, in the order of issue: all of them where nothing is said. */
export interface ClientSelection {
  readonly filter?: ClientFilter;
  readonly after?: ClientPosition;
  /** Leaves out those that have expired at this instant. */
  readonly now?: EpochSeconds;
}

/** Some clients in the order of issue. */
export interface ClientPage {
  readonly clients: readonly Client[];
  /** Where the next page starts; absent behind the last one. */
  readonly next?: ClientPosition;
}
