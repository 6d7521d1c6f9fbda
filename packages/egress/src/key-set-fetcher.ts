import { type KeySetFetcher, parsePublicJwks } from '@vestibule/crypto';
import { MEDIA_TYPE } from '@vestibule/protocol';
import type { Egress } from './egress.js';
import { fetchJson } from './fetch-json.js';
import { refuseOverload } from './refuse-overload.js';

/** What fetching key sets takes besides. */
export interface KeySetFetcherOptions {
  /**
   * Whether want of room here is `too_many_requests`, for registrations, rather than one more missing set. Default
   * false.
   */
  readonly refusesOverload?: boolean;
}

/**
 * Fetches public key sets (RFC 7517 section 5) through the door: `application/jwk-set+json` or `application/json`,
 * 64 KiB at most, within the rules of a public key set. Whatever else comes is no key set, and the caller cannot tell
 * why.
 */
export function keySetFetcher(
  egress: Pick<Egress, 'fetchDocument'>,
  { refusesOverload = false }: KeySetFetcherOptions = {},
): KeySetFetcher {
  return async (address) => {
    const document = await fetchJson(egress, {
      url: address,
      mediaTypes: [MEDIA_TYPE.jwkSet, MEDIA_TYPE.json],
      limits: { maxDepth: 6, maxMembers: 1000 },
      ...(refusesOverload && { onOverload: refuseOverload }),
    });
    const result = parsePublicJwks(document);
    return result.ok ? result.jwks : undefined;
  };
}
