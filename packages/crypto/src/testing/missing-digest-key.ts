import type { Digester } from '../data-keys/digester.js';
import { hmacDigester } from '../data-keys/hmac-digester.js';

/** The same digester while one of its keys cannot be decrypted. */
export function withMissingDigestKey({ digest, availableDigests }: Digester): Digester {
  return hmacDigester(() => ({ isComplete: false, digest, available: availableDigests }));
}
