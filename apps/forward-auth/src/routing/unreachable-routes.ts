import { byHost } from './by-host.js';
import { coversPattern } from './path-pattern.js';
import type { ResourceRoute, RoutedResource } from './routed-resource.js';

interface PlacedRoute {
  readonly place: string;
  readonly route: ResourceRoute;
}

/** Names routes that no request can reach, because routes before them at the same host take all of their requests. */
export function unreachableRoutes(resources: readonly RoutedResource[]): readonly string[] {
  const placed = byHost(resources, ({ routes }, resourceIndex) =>
    routes.map(
      (route, index): PlacedRoute => ({
        place: `resources[${resourceIndex}].routes[${index}]`,
        route,
      }),
    ),
  );
  return [...new Set([...placed.values()].flatMap(unreachableAt))];
}

function unreachableAt(routes: readonly PlacedRoute[]): readonly string[] {
  return routes.flatMap(({ place, route }, index) => {
    const covering = routes
      .slice(0, index)
      .filter((earlier) => coversPattern(earlier.route.pattern, route.pattern));
    const takers = takersOf(route, covering);
    if (takers === undefined) return [];
    return [`${place}: no request reaches this route: ${takers.join(' and ')} before it has its paths`];
  });
}

/** The places of routes that take every method of a route; `undefined` if one is left. */
function takersOf(
  { methods }: ResourceRoute,
  covering: readonly PlacedRoute[],
): readonly string[] | undefined {
  const forAll = covering.find(({ route }) => route.methods === undefined);
  if (forAll !== undefined) return [forAll.place];
  if (methods === undefined) return undefined;
  const takers = [...methods].map((method) => covering.find(({ route }) => route.methods?.has(method)));
  const places = takers.flatMap((taker) => taker?.place ?? []);
  return places.length < takers.length ? undefined : [...new Set(places)];
}
