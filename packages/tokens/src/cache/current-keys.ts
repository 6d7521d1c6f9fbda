import type { KeyRing } from '@vestibule/crypto/signing-keys';
import { SIGNING_KEYS_TAG } from './cache-tag.js';
import { type InvalidatedKeysOptions, invalidatedKeys } from './invalidated-keys.js';

/** Options of the current signing keys. */
export interface CurrentKeysOptions extends Omit<InvalidatedKeysOptions, 'tag' | 'refresh'> {
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'refresh'>;
}

/**
 * Keeps the verification keys of a ring current. When an invalidation event says that a key was added or withdrawn, the
 * ring is read again, and calls wait for that; they reject when reading fails. So everything that earlier keys verified
 * is older than the invalidation event, and is not cached.
 */
export function currentKeys({ keys, ...options }: CurrentKeysOptions): Pick<KeyRing, 'verificationKeys'> {
  const invalidated = invalidatedKeys({ ...options, tag: SIGNING_KEYS_TAG, refresh: keys.refresh });
  return {
    verificationKeys: async (hint) => {
      if (!invalidated.areCurrent()) await invalidated.readAgain();
      return keys.verificationKeys(hint);
    },
  };
}
