import type { Encryptor } from '@vestibule/crypto/data-keys';
import type { Issuer } from '@vestibule/protocol';
import type { ReplayStore } from './replay-store.js';

/** Dependencies of checking client assertions. */
export interface ClientAssertionDeps {
  /** Our issuer identifier, which is always an accepted `aud`. */
  readonly issuer: Issuer;
  /** Decrypts the secrets that key HMAC signatures. */
  readonly encryptor: Pick<Encryptor, 'open'>;
  /** Store of used assertions. */
  readonly replays: ReplayStore;
  /** How far `exp` may be ahead, in seconds, in addition to the tolerated clock skew. Default 3600. */
  readonly maxLifetimeSeconds?: number;
  /**
   * Endpoint URLs that are accepted as `aud` instead of the issuer (OpenID Connect Core 1.0 section 9), except for
   * federated clients. Default none, as in RFC 7523bis and FAPI 2.0.
   */
  readonly endpointAudiences?: readonly string[];
}
