import type { ClientId, JsonObject } from '@vestibule/protocol';

/** What an access token proves about who presents it. */
export interface BearerAccess {
  readonly clientId: ClientId;
  readonly scope: string;
  /** Explicit audience; empty when there is none. */
  readonly audience: readonly string[];
  /** `cnf`: the key or certificate that it is bound to, so that presenting it is not enough (RFC 7800). */
  readonly confirmation?: JsonObject;
}

/** Reads access tokens of every format that we issue. */
export interface BearerAccessReader {
  /** What a token proves at present; `undefined` unless it is ours, within its times and not revoked. */
  read(token: string): Promise<BearerAccess | undefined>;
}
