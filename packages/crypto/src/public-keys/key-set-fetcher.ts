import type { PublicJwkSet } from './public-jwk-set.js';

/**
 * Fetches the public key set at an untrusted URL. `undefined` if it is not available, for whatever reason: the URL is
 * not permitted, the server does not respond, or the document is not a key set or contains a forbidden key. Ends within
 * a bounded time. If at all, rejects with `too_many_requests`, when there is no capacity to fetch it.
 */
export type KeySetFetcher = (address: string) => Promise<PublicJwkSet | undefined>;
