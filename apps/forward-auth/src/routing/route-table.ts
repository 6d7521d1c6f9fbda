import { byHost } from './by-host.js';
import { hostKey, parseHostName } from './host-name.js';
import { hasPath } from './path-pattern.js';
import { METHOD } from './request-method.js';
import { parseRequestPath, type RequestPath } from './request-path.js';
import type { ResourceRoute, RoutedResource } from './routed-resource.js';

/** A route with what its resource has. */
export interface TableEntry<Resource> {
  readonly resource: Resource;
  readonly route: ResourceRoute;
}

/** The route of a request. */
export type RouteMatch<Resource> =
  | { readonly kind: 'route'; readonly entry: TableEntry<Resource> }
  | { readonly kind: 'none' }
  /** Host, path or method can be read in several ways. */
  | { readonly kind: 'ambiguous' };

/** What a route is chosen by. */
export interface RoutableRequest {
  readonly method: string;
  readonly host: string;
  readonly url: string;
}

/** Finds the route of a request. */
export type FindRoute<Resource> = (request: RoutableRequest) => RouteMatch<Resource>;

const NONE = { kind: 'none' } as const;
const AMBIGUOUS = { kind: 'ambiguous' } as const;

/**
 * Creates the table of all routes, by host and in order. A request whose path would have another route if case and a slash
 * at the end made no difference is ambiguous, because some servers ignore them.
 * @param resourceOf what a resource stands for
 */
export function routeTable<Resource>(
  resources: readonly RoutedResource[],
  resourceOf: (resource: RoutedResource) => Resource,
): FindRoute<Resource> {
  const table = byHost(resources, (described) => {
    const resource = resourceOf(described);
    return described.routes.map((route): TableEntry<Resource> => ({ resource, route }));
  });
  /** The entries of a host that is not written as in the table. */
  const entriesAt = (host: string) => {
    const name = parseHostName(host);
    return name && (table.get(hostKey(name)) ?? []);
  };
  return ({ method, host, url }) => {
    const path = parseRequestPath(url);
    const entries = table.get(host) ?? entriesAt(host);
    if (path === undefined || entries === undefined || !METHOD.test(method)) return AMBIGUOUS;
    const exact = firstEntry(entries, { method, path }, 'exact');
    if (exact !== firstEntry(entries, { method, path }, 'folded')) return AMBIGUOUS;
    return exact === undefined ? NONE : { kind: 'route', entry: exact };
  };
}

function firstEntry<Resource>(
  entries: readonly TableEntry<Resource>[],
  { method, path }: { readonly method: string; readonly path: RequestPath },
  reading: 'exact' | 'folded',
): TableEntry<Resource> | undefined {
  return entries.find(
    ({ route: { methods, pattern } }) =>
      (methods === undefined || methods.has(method)) && hasPath(pattern, path, reading),
  );
}
