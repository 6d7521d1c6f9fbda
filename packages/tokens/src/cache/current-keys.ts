import type { KeyRing } from '@vestibule/crypto';
import { SIGNING_KEYS_FACT } from '../cache-tag.js';
import { type InvalidatedKeysOptions, invalidatedKeys } from './invalidated-keys.js';

/** What knowing the present keys takes. */
export interface CurrentKeysOptions extends Omit<InvalidatedKeysOptions, 'name' | 'refresh'> {
  readonly keys: Pick<KeyRing, 'verificationKeys' | 'refresh'>;
}

/**
 * The keys of a ring that verify at present: of a key that was withdrawn or added, as soon as that is announced. The
 * ring is then read again, and who asks meanwhile waits for that; when reading fails the fault is the caller's. So what
 * the keys of before said is older than the invalidation event, and nothing remembers it.
 */
export function currentKeys({ keys, ...options }: CurrentKeysOptions): Pick<KeyRing, 'verificationKeys'> {
  const invalidated = invalidatedKeys({ ...options, name: SIGNING_KEYS_FACT, refresh: keys.refresh });
  return {
    verificationKeys: async (hint) => {
      if (!invalidated.areCurrent()) await invalidated.readAgain();
      return keys.verificationKeys(hint);
    },
  };
}
