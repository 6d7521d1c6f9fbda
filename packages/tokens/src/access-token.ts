import type { ClientId, EpochSeconds, JsonObject } from '@vestibule/protocol';

/**
 * The state of an access token, whatever its format: everything that introspection can answer of it
 * (introspection/API.md#response).
 */
export interface AccessToken {
  readonly clientId: ClientId;
  readonly scope: string;
  /** Explicit audience; empty when the token is for any resource server. */
  readonly audience: readonly string[];
  readonly issuer: string;
  readonly issuedAt: EpochSeconds;
  readonly notBefore?: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly subject?: string;
  readonly username?: string;
  /** Absent for identifier-based tokens. */
  readonly jti?: string;
  readonly confirmation?: JsonObject;
  readonly actor?: JsonObject;
  /** Custom authorisation data, `dat`. */
  readonly data?: JsonObject;
  /** Consented OpenID claims that were fed into the token. */
  readonly claims?: JsonObject;
  readonly authorizationId?: string;
  readonly sessionId?: string;
  /**
   * When the registration of its client ends, and the token with it; told by the store, absent when it does not end.
   */
  readonly clientExpiresAt?: EpochSeconds;
}
