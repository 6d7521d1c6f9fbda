import type { ProtectedResourceMetadata } from '@vestibule/resource-server';
import { hostKey, locationKeys, parseHostName } from './routing/host-name.js';

/** Finds the protected resource metadata (RFC 9728) of a host and path, as JSON; `undefined` if there are none. */
export type FindMetadata = (host: string, path: string) => string | undefined;

/** Creates the lookup. The host is that of the resource identifier, where clients look for the metadata. */
export function metadataFinder(documents: readonly ProtectedResourceMetadata[]): FindMetadata {
  const found = new Map<string, string>();
  for (const { url, json } of documents) {
    const keys = locationKeys(new URL(url));
    if (keys.length === 0) throw new TypeError('the metadata of a resource have no usable host');
    for (const key of keys) found.set(key, json);
  }
  return (host, path) => {
    const name = parseHostName(host);
    return name && found.get(hostKey(name) + path);
  };
}
