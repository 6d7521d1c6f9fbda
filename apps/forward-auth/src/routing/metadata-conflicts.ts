import { parseServerUrl } from '@vestibule/service/settings';
import { locationKeys } from './host-name.js';

/**
 * Names resources whose metadata (RFC 9728 section 3.1) would have a location of those of a resource before them. A
 * location is a host and a path: like gateways, this service does not look at the scheme and the query.
 */
export function metadataConflicts(identifiers: readonly string[]): readonly string[] {
  const taken = new Map<string, number>();
  return identifiers.flatMap((identifier, index) => {
    const locations = metadataLocations(identifier);
    const other = locations.map((location) => taken.get(location)).find((found) => found !== undefined);
    for (const location of locations) if (!taken.has(location)) taken.set(location, index);
    if (other === undefined) return [];
    const [own, first] = [`resources[${index}].identifier`, `resources[${other}].identifier`];
    return [`${own}: has the host and the path of ${first}, so their metadata would have one location`];
  });
}

function metadataLocations(identifier: string): readonly string[] {
  const url = parseServerUrl(identifier);
  return url === undefined ? [] : locationKeys(url);
}
