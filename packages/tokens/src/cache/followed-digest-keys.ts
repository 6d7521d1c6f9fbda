import { DATA_KEYS_FACT } from '../cache-tag.js';
import { type InvalidatedKeys, type InvalidatedKeysOptions, invalidatedKeys } from './invalidated-keys.js';

/** What knowing the present keys for digests takes. */
export interface DigestKeysOptions extends Omit<InvalidatedKeysOptions, 'name' | 'refresh'> {
  /** Reads the keys for digests again, and gives how often they have changed since they were opened. */
  readonly refreshDigestKeys: () => Promise<number>;
}

/**
 * What is known of the keys for digests, under which identifier-based tokens are found. If a reading finds other ones,
 * whatever was read before is distrusted: a token that is stored under a retired key is known no more.
 */
export function followedDigestKeys({ refreshDigestKeys, ...options }: DigestKeysOptions): InvalidatedKeys {
  let knownChanges = 0;
  const refresh = async () => {
    const changes = await refreshDigestKeys();
    if (changes === knownChanges) return;
    knownChanges = changes;
    options.log.discardEverything();
  };
  return invalidatedKeys({ ...options, name: DATA_KEYS_FACT, refresh });
}
