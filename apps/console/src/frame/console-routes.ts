import type { AddResource } from '@vestibule/http';
import { actionRoute } from './action-route.js';
import type { ActionRoute, ConsoleRoute, PageRoute } from './console-route.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import { pageRoute } from './page-route.js';

/** Adds pages and actions as resources. Nothing of them is served without a session. */
export function addConsoleRoutes(
  resource: AddResource,
  deps: ConsoleRoutesDeps,
  routes: readonly ConsoleRoute[],
): void {
  for (const path of new Set(routes.map((one) => one.path))) {
    const page = routes.find((one): one is PageRoute => one.path === path && one.method === 'GET');
    const action = routes.find((one): one is ActionRoute => one.path === path && one.method === 'POST');
    resource(path, {
      ...(page && { GET: pageRoute(deps, page) }),
      ...(action && { POST: actionRoute(deps, action) }),
    });
  }
}
