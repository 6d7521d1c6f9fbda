import type { RoutedResource } from './routed-resource.js';

/**
 * Lists what the resources of each host have, in order.
 * @param entriesOf what a resource has
 */
export function byHost<Entry>(
  resources: readonly RoutedResource[],
  entriesOf: (resource: RoutedResource, index: number) => readonly Entry[],
): ReadonlyMap<string, readonly Entry[]> {
  const found = new Map<string, Entry[]>();
  resources.forEach((resource, index) => {
    const entries = entriesOf(resource, index);
    for (const host of new Set(resource.hosts)) found.set(host, [...(found.get(host) ?? []), ...entries]);
  });
  return found;
}
