import { constantTimeEquals } from './constant-time-equals.js';
import { sha256 } from './sha256.js';

/** The operator's credential: unrestricted access to the client registry (registration/API.md#tokens). */
export interface MasterToken {
  /** Whether a bearer token is the master token. Takes the same time for every token of one length. */
  matches(token: string): boolean;
}

const SHA256_HEX = /^[0-9a-f]{64}$/i;

/**
 * Creates the master token from its hexadecimal SHA-256 digests, several during a rotation. Without digests there is no
 * master access.
 * @throws TypeError when a digest is not 64 hexadecimal digits.
 */
export function createMasterToken(digests: readonly string[]): MasterToken {
  const accepted = digests.map((digest) => {
    if (!SHA256_HEX.test(digest)) throw new TypeError('a master token digest must be 64 hexadecimal digits');
    return Buffer.from(digest, 'hex');
  });
  return {
    matches: (token) => {
      const presented = sha256(token);
      return accepted.reduce((found, digest) => constantTimeEquals(digest, presented) || found, false);
    },
  };
}
