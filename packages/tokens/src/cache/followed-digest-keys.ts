import { DATA_KEYS_TAG } from './cache-tag.js';
import { type InvalidatedKeys, type InvalidatedKeysOptions, invalidatedKeys } from './invalidated-keys.js';

/** Options of the current digest keys. */
export interface DigestKeysOptions extends Omit<InvalidatedKeysOptions, 'tag' | 'refresh'> {
  /** Refreshes the digest keys. Returns how often they have changed since they were opened. */
  readonly refreshDigestKeys: () => Promise<number>;
}

/**
 * Keeps the digest keys current, under which identifier-based tokens are found. When a refresh finds other keys,
 * everything that was read before is discarded: a token that is stored under a retired key is no longer found.
 */
export function followedDigestKeys({ refreshDigestKeys, ...options }: DigestKeysOptions): InvalidatedKeys {
  let knownChanges = 0;
  const refresh = async () => {
    const changes = await refreshDigestKeys();
    if (changes === knownChanges) return;
    knownChanges = changes;
    options.log.discardEverything();
  };
  return invalidatedKeys({ ...options, tag: DATA_KEYS_TAG, refresh });
}
