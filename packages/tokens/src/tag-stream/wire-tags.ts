import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import type { CacheTag } from '../cache/cache-tag.js';

/**
 * Names cache tags for readers outside of this installation. A name is a keyed digest: it is the same on every instance, and
 * says nothing about tokens, end-users and clients to a reader who has not got it with a response.
 */
export interface WireTags {
  /** Returns the name under the current key, for responses. */
  name(tag: CacheTag): string;
  /** Returns the names under every available key, for events: a response may have been named under any of them. */
  names(tag: CacheTag): readonly string[];
  /** Identifies the set of available keys: equal on instances that have the same keys. */
  fingerprint(): string;
}

/** Bytes of the digest in a name. */
const NAME_BYTES = 16;

/** Creates the names of tags under the digest keys. */
export function wireTags({
  digest,
  availableDigests,
}: Pick<Digester, 'digest' | 'availableDigests'>): WireTags {
  return {
    name: (tag) => nameOf(digest('cache-tag', tag)),
    names: (tag) => availableDigests('cache-tag', tag).map(nameOf),
    // No tag is empty.
    fingerprint: () => availableDigests('cache-tag', '').map(nameOf).toSorted().join(' '),
  };
}

function nameOf(digest: Digest): string {
  return Buffer.from(digest.buffer, digest.byteOffset, NAME_BYTES).toString('base64url');
}
