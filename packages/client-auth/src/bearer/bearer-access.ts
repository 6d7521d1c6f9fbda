import type { ClientId } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';

/** What an access token says about its holder. */
export interface BearerAccess {
  readonly clientId: ClientId;
  readonly scope: string;
  /** Explicit audience; empty if there is none. */
  readonly audience: readonly string[];
  /**
   * `cnf`: the key or certificate that the token is bound to (RFC 7800). Presenting the token is then not sufficient.
   */
  readonly confirmation?: JsonObject;
}

/** Reads access tokens of every format of this server. */
export interface BearerAccessReader {
  /** Returns what a token says now; `undefined` unless it was issued here, is within its lifetime and not revoked. */
  read(token: string): Promise<BearerAccess | undefined>;
}
