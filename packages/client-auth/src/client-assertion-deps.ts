import type { Encryptor } from '@vestibule/crypto';
import type { Issuer } from '@vestibule/protocol';
import type { ReplayStore } from './replay-store.js';

/** What judging client assertions takes. */
export interface ClientAssertionDeps {
  /** Our issuer identifier, which `aud` may always be. */
  readonly issuer: Issuer;
  /** Opens the secrets that key HMAC signatures. */
  readonly encryptor: Pick<Encryptor, 'open'>;
  /** Remembers every assertion that was used. */
  readonly replays: ReplayStore;
  /** How far ahead `exp` may lie, in seconds, beside the clock skew that is accepted. Default 3600. */
  readonly maxLifetimeSeconds?: number;
  /**
   * Addresses of endpoints that may stand in `aud` in place of the issuer (OpenID Connect Core 1.0 section 9), except
   * for clients of federations. Default none, as RFC 7523bis and FAPI 2.0 have it.
   */
  readonly endpointAudiences?: readonly string[];
}
