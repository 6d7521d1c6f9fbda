import type { EpochSeconds } from '@vestibule/protocol';
import type { Client, ClientOrigin, ClientStatus } from './client.js';

/** The longest prefix of a name that can be looked for, in characters. */
export const MAX_NAME_PREFIX_LENGTH = 200;

/** What clients have in common that are looked for; every member that is there must hold. */
export interface ClientFilter {
  /** How `client_name` begins, whatever the case of ASCII letters. */
  readonly namePrefix?: string;
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
