import { type KeySetFetcher, parsePublicJwks } from '@vestibule/crypto/public-keys';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Egress } from './egress.js';
import { fetchJson } from './fetch-json.js';
import { refuseOverload } from './refuse-overload.js';

/** Options of `keySetFetcher`. */
export interface KeySetFetcherOptions {
  /**
   * Whether `overloaded` is thrown as `too_many_requests`, for registrations, instead of counting as a missing key set.
   * Default: false.
   */
  readonly refusesOverload?: boolean;
  /** Deadline of a fetch in milliseconds. Default: the deadline of the {@link Egress}. */
  readonly deadlineMs?: number;
}

/**
 * Creates a fetcher of public key sets (RFC 7517 section 5): `application/jwk-set+json` or `application/json`, at most
 * 64 KiB, valid as a public key set. Anything else counts as a missing key set, and the caller cannot tell why.
 */
export function keySetFetcher(
  egress: Pick<Egress, 'fetchDocument'>,
  { refusesOverload = false, deadlineMs }: KeySetFetcherOptions = {},
): KeySetFetcher {
  return async (address) => {
    const document = await fetchJson(egress, {
      url: address,
      mediaTypes: [MEDIA_TYPE.jwkSet, MEDIA_TYPE.json],
      limits: { maxDepth: 6, maxMembers: 1000 },
      ...(deadlineMs !== undefined && { deadlineMs }),
      ...(refusesOverload && { onOverload: refuseOverload }),
    });
    const result = parsePublicJwks(document);
    return result.ok ? result.jwks : undefined;
  };
}
