import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';

/**
 * The state of an access token in either format: everything that an introspection response can contain
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
  /** Custom authorization data, `dat`. */
  readonly data?: JsonObject;
  /** OpenID claims that the end-user consented to for this token. */
  readonly claims?: JsonObject;
  readonly authorizationId?: string;
  readonly sessionId?: string;
  /**
   * When the registration of the client expires, and the token with it. Set by the store; absent when it does not
   * expire.
   */
  readonly clientExpiresAt?: EpochSeconds;
}
