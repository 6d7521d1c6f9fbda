import type { VerificationKeySource } from '../jwt/jose-keys.js';
import type { FollowedKeySet } from '../public-keys/followed-key-set.js';
import type { KeyRing } from './key-ring.js';

/** The key set of another authorization server with our issuer, without every key that is or ever was ours. */
export interface OtherServerKeys extends Omit<FollowedKeySet, 'publishedKeys'> {
  /**
   * Finds the keys of the other server that may verify a token. None for a token that names a key of ours.
   * @throws KeySetUnavailableError when its key set could not be read. Errors of our key ring are passed on
   */
  readonly verificationKeys: VerificationKeySource;
}

/**
 * Leaves our keys out of the key set of another server, which may publish copies of them for its clients. So a copy
 * never widens what our key verifies, and verifies nothing once the key is withdrawn here.
 */
export function withoutOwnKeys(
  { publishedKeys, ...theirs }: FollowedKeySet,
  ours: Pick<KeyRing, 'verificationKeys' | 'hasEverHeld'>,
): OtherServerKeys {
  return {
    ...theirs,
    verificationKeys: async (hint) => {
      // For a key that is not known yet, this reads the ring again.
      if ((await ours.verificationKeys(hint)).length > 0) return [];
      if (hint.kid !== undefined && ours.hasEverHeld(hint.kid)) return [];
      // A copy may have another `kid`.
      return (await publishedKeys(hint)).filter(({ thumbprint }) => !ours.hasEverHeld(thumbprint));
    },
  };
}

/** Finds our keys that may verify a token; if there are none, those of the other server. */
export function keysOfBothServers(
  ours: Pick<KeyRing, 'verificationKeys'>,
  theirs: Pick<OtherServerKeys, 'verificationKeys'> | undefined,
): VerificationKeySource {
  return async (hint) => {
    const own = await ours.verificationKeys(hint);
    return own.length > 0 ? own : ((await theirs?.verificationKeys(hint)) ?? []);
  };
}
