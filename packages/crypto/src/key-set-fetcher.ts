import type { PublicJwkSet } from './public-jwk-set.js';

/**
 * Fetches the public key set at an address, from a stranger's server. `undefined` when it cannot be had, whatever the
 * reason: the address is not permitted, nobody answers, the document is no key set or holds a key that must not be in
 * one. Ends within a bounded time. Rejects where there was no room to ask, as
 * `too_many_requests`, if at all.
 */
export type KeySetFetcher = (address: string) => Promise<PublicJwkSet | undefined>;
