import type { Sealer } from '@vestibule/crypto';
import type { Issuer } from '@vestibule/protocol';
import type { ReplayStore } from './replay-store.js';

/** What judging client assertions takes. */
export interface ClientAssertionDeps {
  /** Our issuer identifier, the one audience that assertions are for. */
  readonly issuer: Issuer;
  /** Opens the secrets that key HMAC signatures. */
  readonly sealer: Pick<Sealer, 'open'>;
  /** Remembers every assertion that was used. */
  readonly replays: ReplayStore;
  /** How far ahead `exp` may lie, in seconds. Default 300. */
  readonly maxLifetimeSeconds?: number;
  /**
   * Addresses of endpoints that may stand in `aud` in place of the issuer, for clients that follow RFC 7523 as it was
   * first read. Each lets assertions through that were made for somebody who claims such an address. Default none.
   */
  readonly endpointAudiences?: readonly string[];
}
